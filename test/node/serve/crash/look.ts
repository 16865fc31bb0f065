import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import {
  readPolicy,
  type Database,
  type Row,
  type Schema,
} from '../../../../src/management/store/index.js'
import type { State } from './ledger.js'

/** All rows of a zone's tables, and its policy. */
export interface ZoneRows {
  readonly zone: Row<'zones'>
  readonly rules: readonly Row<'rules'>[]
  readonly configurations: readonly Row<'token_configurations'>[]
  readonly keys: readonly Row<'token_keys'>[]
  readonly operations: readonly Row<'operations'>[]
  readonly secrets: readonly string[]
  readonly ruleConfigurations: readonly Row<'rule_configurations'>[]
  readonly versions: readonly Row<'policy_versions'>[]
  readonly parts: readonly Row<'policy_parts'>[]
  /** Changes of rules, configurations and operations. */
  readonly audit: readonly Row<'audit_log'>[]
  readonly policy: NonNullable<Awaited<ReturnType<typeof readPolicy>>>
}

export async function rowsOf(db: Database, zoneId: string): Promise<ZoneRows> {
  const all = async <Table extends keyof Schema>(table: Table) => {
    const where = sql`where zone_id = ${zoneId}`
    const { rows } = await sql<Row<Table>>`select * from ${sql.table(table)} ${where}`.execute(db)
    return rows
  }
  const audit = await all('audit_log')
  return {
    zone: await db
      .selectFrom('zones')
      .selectAll()
      .where('id', '=', zoneId)
      .executeTakeFirstOrThrow(),
    rules: (await all('rules')).toSorted((one, other) => one.position - other.position),
    configurations: (await all('token_configurations')).toSorted(byAge),
    keys: await all('token_keys'),
    operations: (await all('operations')).toSorted(byAge),
    secrets: (await all('secrets')).map(({ id }) => id),
    ruleConfigurations: await all('rule_configurations'),
    versions: (await all('policy_versions')).toSorted((one, other) => one.version - other.version),
    parts: await all('policy_parts'),
    audit: audit.filter(({ object_type }) => object_type !== 'zone'),
    policy: (await readPolicy(db, zoneId))!,
  }
}

interface Aged {
  readonly id: string
  readonly created_at: number
}
const byAge = (one: Aged, other: Aged): number =>
  one.created_at - other.created_at || (one.id < other.id ? -1 : 1)

/** What the tables hold, by the id of the object, in the words of the ledger. */
export function statesOf(rows: ZoneRows): ReadonlyMap<string, State> {
  const kids = new Map(rows.keys.map((key) => [key.configuration_id, key.kid]))
  return new Map<string, State>([
    ...rows.rules.map(
      ({ id, title, action, expression }) => [id, { title, action, expression }] as const,
    ),
    ...rows.configurations.map(
      ({ id, title }) => [id, { title, kid: kids.get(id) ?? 'none' }] as const,
    ),
    ...rows.operations.map(({ id, endpoint }) => [id, { endpoint }] as const),
  ])
}

/** Whatever of a zone does not agree with the rest of it. */
export function disagreements(rows: ZoneRows): readonly string[] {
  const { zone, versions, parts, policy } = rows
  const faults: string[] = []
  const agree = (what: string, one: unknown, other: unknown) => {
    if (JSON.stringify(one) !== JSON.stringify(other)) faults.push(`${zone.name}: ${what}`)
  }
  agree('the number of operations', zone.operation_count, rows.operations.length)
  agree('the number of rules', zone.rule_count, rows.rules.length)
  const places = rows.rules.map(({ position }) => position)
  agree(
    'the places of rules',
    places,
    places.map((_, at) => at + 1),
  )
  agree('the newest version', zone.policy_version, versions.at(-1)?.version)
  agree(
    'the versions one by one',
    versions.map(({ version }) => version),
    versions.map((_, at) => at + 1),
  )
  agree('a version for each change', versions.length, 1 + rows.audit.length)
  const bodies = new Map(parts.map(({ hash, body }) => [hash, body]))
  for (const [hash, body] of bodies) agree('the hash of a part', hash, sha256(body))
  for (const version of versions) {
    agree('the hash of a version', version.hash, sha256(version.parts))
    const named = Object.values(JSON.parse(version.parts) as Record<string, string>)
    agree(
      'the parts of a version',
      [],
      named.filter((hash) => !bodies.has(hash)),
    )
  }
  agree('the rules of the policy', policy.parts.rules, rows.rules.map(ruleOf))
  agree('the operations of the policy', policy.parts.operations, rows.operations.map(operationOf))
  agree(
    'the configurations of the policy',
    policy.parts.token_configurations,
    rows.configurations.map((row) => configurationOf(row, rows)),
  )
  const inHistory = [...bodies.values()].flatMap((body) =>
    [...body.matchAll(/"secret_id":"([^"]+)"/g)].map(([, id]) => id!),
  )
  agree('secrets and the keys they belong to', rows.secrets.toSorted(), distinct(inHistory))
  const there = new Set(rows.configurations.map(({ id }) => id))
  agree(
    'what rules name',
    rows.rules
      .flatMap(({ id, expression }) => named(expression).map((one) => `${id} ${one}`))
      .toSorted(),
    rows.ruleConfigurations
      .map(({ rule_id, configuration_id }) => `${rule_id} ${configuration_id}`)
      .toSorted(),
  )
  agree(
    'configurations that rules name',
    [],
    rows.ruleConfigurations.filter(({ configuration_id }) => !there.has(configuration_id)),
  )
  return faults
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const distinct = (texts: readonly string[]): readonly string[] => [...new Set(texts)].toSorted()
const named = (expression: string): readonly string[] =>
  [...expression.matchAll(/"([^"]+)"/g)].map(([, id]) => id!)

const ruleOf = (row: Row<'rules'>): object => ({
  id: row.id,
  title: row.title,
  description: row.description,
  action: row.action,
  enabled: row.enabled === 1,
  expression: row.expression,
  selector: JSON.parse(row.selector),
})

const operationOf = ({ id, method, host, endpoint }: Row<'operations'>): object => ({
  operation_id: id,
  method,
  host,
  endpoint,
})

const configurationOf = (row: Row<'token_configurations'>, { keys }: ZoneRows): object => ({
  id: row.id,
  title: row.title,
  description: row.description,
  token_sources: JSON.parse(row.token_sources),
  keys: keys
    .filter(({ configuration_id }) => configuration_id === row.id)
    .map(({ public_key, secret_id }) => ({ ...JSON.parse(public_key), secret_id })),
})
