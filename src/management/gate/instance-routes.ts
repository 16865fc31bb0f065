import { z } from '@hono/zod-openapi'
import { endpoint, listEndpoint, pageQuery, text, zoneIdOf, type Endpoint } from '../http/index.js'
import { moment, type Database, type Row } from '../store/index.js'
import { keepReport, listInstances } from './instances.js'
import { GATE_PATH, TAG } from './paths.js'

const PATH = `${GATE_PATH}/instances`
/** A gate that has been silent for so long (µs) is not believed to run. */
const SILENT_AFTER = 60_000_000
const LATEST = Date.parse('2200-01-01T00:00:00Z')

const Refused = z.object({
  version: z.number().int().min(0),
  code: text(64, 1),
  message: text(1000),
  pointer: text(1000),
})

const Report = z.object({
  instance: text(120, 1),
  version: z.number().int().min(0).openapi({ description: 'What is in force there.' }),
  hash: text(64),
  refused: Refused.nullish(),
  started_at: z.iso
    .datetime({ offset: true })
    .refine((value) => Date.parse(value) < LATEST, 'expected a time before the year 2200'),
})

const Instance = z
  .object({
    instance: z.string(),
    state: z.enum(['running', 'silent']),
    version: z.number().int(),
    hash: z.string(),
    refused: Refused.nullable(),
    started_at: z.string(),
    last_seen: z.string(),
  })
  .openapi('GateInstance')

const wire = (row: Row<'gate_instances'>, now: number): z.input<typeof Instance> => ({
  instance: row.instance,
  state: now - row.last_seen > SILENT_AFTER ? 'silent' : 'running',
  version: row.version,
  hash: row.hash,
  refused: row.refused === null ? null : JSON.parse(row.refused),
  started_at: moment(row.started_at),
  last_seen: moment(row.last_seen),
})

/** Gates that follow a zone: which version each runs, and which it refused and why. */
export const instanceRoutes = (db: Database): readonly Endpoint[] => [
  listEndpoint({
    method: 'get',
    path: PATH,
    tag: TAG,
    summary: 'List the gates that follow the policy',
    permission: 'gate',
    query: z.object(pageQuery),
    result: Instance,
    async handle(call) {
      const listed = await listInstances(db, zoneIdOf(call), call.query, call.at)
      return { ...listed, items: listed.items.map((row) => wire(row, call.at)) }
    },
  }),
  endpoint({
    method: 'post',
    path: PATH,
    tag: TAG,
    summary: 'Tell which version a gate runs, and which it refused',
    permission: 'gate',
    body: Report,
    result: Instance,
    async handle(call) {
      const { started_at, refused, ...told } = call.body
      const report = {
        zone_id: zoneIdOf(call),
        ...told,
        refused: refused ?? undefined,
        started_at: Date.parse(started_at) * 1000,
      }
      return wire(await keepReport(db, report, call.at), call.at)
    },
  }),
]
