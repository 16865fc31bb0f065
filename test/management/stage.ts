import { randomBytes, randomUUID } from 'node:crypto'
import {
  createManagement,
  createSealer,
  type Management,
  type ManagementOptions,
} from '../../src/management/index.js'
import { contractOf, type Contract } from './contract.js'
import { openDatabase, type Database } from '../../src/management/store/index.js'
import { sqliteDialect } from '../../src/node/store/index.js'

export const BASE = 'http://management.test/client/v4'
export const ADMIN = 'an-administrator-of-the-tests'
export const ACCOUNT = 'a'.repeat(32)
export const ZONE = '0'.repeat(31) + '1'

/** A message of the envelope. */
export interface Said {
  readonly code: number
  readonly message: string
  readonly source?: { readonly pointer?: string }
}

/** An answer as tests look at it. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: {
    readonly success: boolean
    readonly errors: readonly Said[]
    readonly messages: readonly Said[]
    readonly result: Item
    /** The result where it is a list, else an empty one. */
    readonly list: readonly Item[]
    readonly result_info?: Readonly<Record<string, number>>
    readonly keys?: readonly Item[]
  }
}

/** Of JSON: whatever a test expects there. */
export type Item = Readonly<Record<string, unknown>>

/** One document holds for all stages. */
let contract: Contract | undefined

/** A management floor on SQLite in memory, with a clock that a test may move. */
export interface Stage {
  readonly management: Management
  readonly db: Database
  readonly faults: unknown[]
  /** Epoch ms. */
  clock: number
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Answer>
  /** Makes a token with these permissions and gives its text. */
  token(permissions: readonly string[], resource?: string): Promise<string>
  close(): Promise<void>
}

interface CallOptions {
  readonly token?: string | null
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as it is. */
  readonly raw?: string | Uint8Array<ArrayBuffer>
}

/** What a test gives its management besides what every one has. */
export type More = Partial<ManagementOptions>

export async function createStage(
  open?: Database,
  options: Partial<ManagementOptions> = {},
): Promise<Stage> {
  const db = open ?? (await openDatabase(sqliteDialect(':memory:')))
  const random = (bytes: number) => new Uint8Array(randomBytes(bytes))
  const faults: unknown[] = []
  const stage: Stage = {
    clock: Date.parse('2026-01-31T12:00:00.000Z'),
    db,
    faults,
    management: createManagement({
      db,
      sealer: await createSealer([random(32)], random),
      now: () => stage.clock,
      newId: randomUUID,
      random,
      onFault: (cause) => faults.push(cause),
      ...options,
    }),
    async call(method, path, body, how = {}) {
      const address = path.startsWith('http') ? path : BASE + path
      const answer = await answerOf(
        await stage.management.fetch(requestTo(address, method, body, how)),
      )
      contract ??= await contractOf(stage.management.fetch)
      const breach = contract.breach({
        method,
        path,
        status: answer.status,
        type: answer.headers.get('content-type'),
        text: answer.text,
        ...(body !== undefined && how.raw === undefined && { sent: JSON.stringify(body) }),
      })
      if (breach !== undefined) throw new Error(breach)
      return answer
    },
    async token(permissions, resource = '*') {
      const policy = {
        effect: 'allow',
        permission_groups: permissions.map((id) => ({ id })),
        resources: { [resource]: '*' },
      }
      const made = await stage.call('POST', '/user/tokens', { name: 'made', policies: [policy] })
      return String(made.json.result['value'])
    },
    close: () => db.destroy(),
  }
  await stage.management.ensureFirstToken(ADMIN)
  return stage
}

/** The same with an account and a zone, `example.com`. */
export async function createZoneStage(
  open?: Database,
  options: Partial<ManagementOptions> = {},
): Promise<Stage> {
  const stage = await createStage(open, options)
  await stage.call('POST', '/accounts', { id: ACCOUNT, name: 'Tests' })
  await stage.call('POST', '/zones', { id: ZONE, name: 'example.com', account: { id: ACCOUNT } })
  return stage
}

/** A call of an administrator with JSON, unless it says otherwise. */
export function requestTo(
  address: string,
  method: string,
  body: unknown,
  { token = ADMIN, headers = {}, raw }: CallOptions,
): Request {
  const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  return new Request(address, {
    method,
    headers: {
      ...(sent !== undefined && { 'content-type': 'application/json' }),
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(sent !== undefined && { body: sent }),
  })
}

/** An answer with its body read. */
export async function answerOf(response: Response): Promise<Answer> {
  const { status, headers } = response
  const text = await response.text()
  return { status, headers, text, json: text === '' ? undefined! : parsed(text) }
}

/** A body as {@link Answer} has it: the list stands beside the result, where no comparison sees it. */
function parsed(text: string): Answer['json'] {
  const json = JSON.parse(text) as Answer['json']
  const value = Array.isArray(json.result) ? json.result : []
  return Object.defineProperty(json, 'list', { value })
}
