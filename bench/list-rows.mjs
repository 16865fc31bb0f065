const BASE = 'http://localhost/client/v4'
export const ZONE = '0'.repeat(31) + '1'
export const ACCOUNT = 'a'.repeat(32)
/** Epoch µs of the oldest line of the audit log; one every second. */
const FIRST = Date.parse('2024-01-01T00:00:00Z') * 1000
const AT_ONCE = 200
const STRETCH = 1000

const padded = (number, digits) => String(number).padStart(digits, '0')
const idOf = (at) => padded(at, 32)
const uuidOf = (at) => `00000000-0000-4000-8000-${padded(at, 12)}`
/** When a line of the log was written, as a search says it. */
export const instantOf = (at) => new Date(FIRST / 1000 + at * 1000).toISOString()
/** The account of a zone: every other one is in a small account. */
const accountAt = (at) => (at % 2 === 0 ? ACCOUNT : idOf(1 + (at % 100)))

/** Rows as the store would hold them, by table, of each so many. */
const ROWS = {
  accounts: (at) => ({
    id: idOf(at),
    name: `b ${padded(at, 6)}`,
    type: 'standard',
    created_at: FIRST + at,
    updated_at: FIRST,
  }),
  zones: (at) => ({
    id: idOf(at + 1000),
    account_id: accountAt(at),
    name: `z${padded(at, 6)}.example.com`,
    type: 'full',
    paused: 0,
    upstream: null,
    plan: ['free', 'pro', 'business'][at % 3],
    settings: '{}',
    lists: '{}',
    policy_version: 0,
    operation_count: 0,
    rule_count: 0,
    created_at: FIRST + at,
    updated_at: FIRST,
  }),
  api_tokens: (at) => ({
    id: idOf(at),
    name: 'token',
    hash: idOf(at),
    lookup: idOf(at).slice(0, 8),
    policies: JSON.stringify([
      {
        id: idOf(at),
        effect: 'allow',
        permission_groups: [{ id: 'zones:read' }],
        resources: { [`com.cloudflare.api.account.${accountAt(at)}`]: '*' },
      },
    ]),
    reach: accountAt(at),
    status: 'active',
    expires_at: at % 10 === 0 ? FIRST + 1 : null,
    created_at: FIRST + at,
    updated_at: FIRST,
  }),
  operations: (at) => ({
    zone_id: ZONE,
    id: uuidOf(at),
    method: ['GET', 'POST', 'PUT', 'DELETE'][at % 4],
    host: `h${at % 50}.example.com`,
    endpoint: `/v${at}/{var1}`,
    match_key: idOf(at),
    created_at: FIRST + at,
  }),
  rules: (at) => ({
    zone_id: ZONE,
    id: uuidOf(at),
    position: at + 1,
    title: `Rule ${at}`,
    description: '',
    action: at % 2 === 0 ? 'block' : 'log',
    enabled: at % 5 === 0 ? 0 : 1,
    expression: 'true',
    selector: '{}',
    modified_by: 'bench',
    created_at: FIRST + at,
    updated_at: FIRST,
  }),
  rule_hosts: (at) => ({ zone_id: ZONE, host: `h${at % 50}.example.com`, rule_id: uuidOf(at) }),
  rule_configurations: (at) => ({
    zone_id: ZONE,
    configuration_id: uuidOf(at % 32),
    rule_id: uuidOf(at),
  }),
  audit_log: (at) => ({
    id: uuidOf(at),
    account_id: ACCOUNT,
    zone_id: ZONE,
    at: FIRST + at * 1_000_000,
    actor_id: at % 2 === 0 ? 'command-line' : 'another',
    actor_name: 'Command line',
    request_id: uuidOf(at - (at % 3)),
    action: ['create', 'update', 'delete'][at % 3],
    object_type: at % 4 === 0 ? 'rule' : 'operation',
    object_id: uuidOf(at - (at % 5)),
    before: null,
    after: '{"method":"GET","host":"example.com","endpoint":"/v1/{var1}"}',
  }),
  policy_versions: (at) => ({
    zone_id: ZONE,
    version: at + 1000,
    hash: idOf(at),
    parts: '{}',
    actor_id: 'x',
    created_at: Date.now() * 1000,
  }),
}

/** Lists that have marks: table, key, and whose rows. */
const MARKED = [
  ['accounts', 'name'],
  ['zones', 'name'],
  ['zones', 'name', 'account_id', ACCOUNT],
  ['api_tokens', 'created_at'],
  ['operations', 'created_at', 'zone_id', ZONE],
  ['audit_log', 'at'],
  ['audit_log', 'at', 'zone_id', ZONE],
  ['audit_log', 'at', 'account_id', ACCOUNT],
]

/** Fills a store with so many rows in every list, beside the API, which would take hours. */
export async function fill({ db, management }, size) {
  const zone = { id: ZONE, name: 'example.com', account: { id: ACCOUNT } }
  await call(management, 'POST', '/accounts', { id: ACCOUNT, name: 'bench' })
  await call(management, 'POST', '/zones', zone)
  await db.transaction().execute(async (tx) => {
    await tx.deleteFrom('policy_versions').execute()
    for (const [table, make] of Object.entries(ROWS))
      for (let at = 0; at < size; at += AT_ONCE) {
        const many = Math.min(AT_ONCE, size - at)
        const rows = Array.from({ length: many }, (_, index) => make(at + index))
        await tx.insertInto(table).values(rows).execute()
      }
    const counts = { operation_count: size, rule_count: size, policy_version: 999 + size }
    await tx.updateTable('zones').set(counts).where('id', '=', ZONE).execute()
    for (const list of MARKED) await mark(tx, list)
  })
}

/** Marks a list as the store would. No two rows here have one key. */
async function mark(tx, [table, key, column, id]) {
  const list = column === undefined ? table : `${table} ${column} ${id}`
  let query = tx.selectFrom(table).select(key).orderBy(key)
  if (column !== undefined) query = query.where(column, '=', id)
  const keys = (await query.execute()).map((row) => encoded(row[key]))
  await tx.deleteFrom('list_marks').where('list', '=', list).execute()
  for (let at = 0; at < keys.length; at += STRETCH) {
    const start = at === 0 ? keys[0].replace(/^\d{16}$/, padded(0, 16)) : keys[at]
    const n = Math.min(STRETCH, keys.length - at)
    await tx
      .insertInto('list_marks')
      .values({ list, start: at === 0 && start === keys[0] ? '' : start, n, version: 1 })
      .execute()
  }
}

const encoded = (key) => (typeof key === 'number' ? padded(key, 16) : key)

/** Calls the API as its owner, or with a token; gives what it answers. */
export async function call(management, method, path, body, token) {
  const headers = {
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  }
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const request = new Request(BASE + path, { method, headers, ...sent })
  const response = await (token === undefined
    ? management.fetchAsOwner(request)
    : management.fetch(request))
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
  return response.json()
}
