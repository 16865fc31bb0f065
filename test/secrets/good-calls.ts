/** A call that succeeds. Ids in braces stand for those of earlier answers. */
export interface GoodCall {
  /** As the OpenAPI document names it. */
  readonly operation: string
  readonly body?: unknown
  /** Fields of a form in place of a body; a list is a file: its text. */
  readonly form?: Readonly<Record<string, string | readonly [string]>>
  /** Other ids than those at hand, for the path. */
  readonly at?: Readonly<Record<string, string>>
  /** What of the answer is kept under which name, and read from where in `result`. */
  readonly keep?: Readonly<Record<string, string>>
  /** The answer is where a secret is told. */
  readonly tells?: boolean
}

const ZONE = '/zones/{zone_id}'
const CONFIG = `${ZONE}/token_validation/config`
const RULES = `${ZONE}/token_validation/rules`
const OPERATIONS = `${ZONE}/api_gateway/operations`
const OLD_SCHEMAS = `${ZONE}/api_gateway/user_schemas`
const SCHEMAS = `${ZONE}/schema_validation/schemas`
const GATE = `${ZONE}/gate`
const RULESETS = `${ZONE}/rulesets`

const policies = [
  {
    effect: 'allow',
    permission_groups: [{ id: 'zones:read' }],
    resources: { 'com.cloudflare.api.account.zone.{zone_id}': '*' },
  },
]
const operation = (endpoint: string) => ({ method: 'GET', host: 'api.shop.example', endpoint })
const document = (path: string) =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1' },
    servers: [{ url: 'https://shop.example' }],
    paths: { [path]: { get: {} }, '/{a}.json': { get: {} } },
  })
const rule = (expression: string, host: string) => ({
  title: 'Orders',
  description: 'Who orders is a customer',
  action: 'block',
  enabled: true,
  expression,
  selector: { include: [{ host: [host] }], exclude: [{ operation_ids: ['none'] }] },
})

const errorRule = {
  expression: 'http.response.code eq 522',
  action_parameters: { content: 'The shop is closed', content_type: 'text/plain' },
}

/** One call at least for every operation that makes, changes or lists something. */
export function makingCalls(keys: readonly object[], upstream: string): readonly GoodCall[] {
  const config = {
    title: 'Customers',
    description: 'Tokens of the shop',
    token_type: 'JWT',
    token_sources: [
      'http.request.headers["authorization"][0]',
      'http.request.cookies["session"][0]',
    ],
    credentials: { keys },
  }
  const account = { name: 'Shop', type: 'standard' }
  const zone = { name: 'shop.example', account: { id: '{account_id}' }, upstream }
  const blocking = rule('is_jwt_valid("{config_id}")', 'api.shop.example')
  const report = {
    instance: 'gate-1',
    version: 1,
    hash: 'a'.repeat(64),
    started_at: '2026-01-31T12:00:00Z',
    refused: { version: 2, code: 'unknown_field', message: 'no such field', pointer: '/rules/0' },
  }
  const openapi = { kind: 'openapi_v3', name: 'Shop', validation_enabled: true }
  return [
    { operation: 'POST /accounts', body: account, keep: { account_id: 'id' } },
    { operation: 'PUT /accounts/{account_id}', body: account },
    { operation: 'PATCH /accounts/{account_id}', body: account },
    { operation: 'POST /accounts', body: account, keep: { spare_account_id: 'id' } },
    { operation: 'POST /zones', body: zone, keep: { zone_id: 'id' } },
    {
      operation: 'POST /zones',
      body: { ...zone, name: 'spare.example' },
      keep: { spare_zone_id: 'id' },
    },
    { operation: 'PATCH /zones/{zone_id}', body: { paused: false, upstream } },
    { operation: `POST ${CONFIG}`, body: config, keep: { config_id: 'id' } },
    { operation: `POST ${CONFIG}`, body: config, keep: { spare_config_id: 'id' } },
    {
      operation: `PATCH ${CONFIG}/{config_id}`,
      body: { title: 'Customers', description: 'x', token_sources: config.token_sources },
    },
    { operation: `PUT ${CONFIG}/{config_id}/credentials`, body: { keys } },
    { operation: `PATCH ${CONFIG}/{config_id}/credentials`, body: { keys } },
    {
      operation: `PATCH ${CONFIG}/{config_id}/credentials`,
      body: { jwks_uri: 'https://127.0.0.1/keys' },
    },
    { operation: `POST ${CONFIG}/{config_id}/key_set/refresh` },
    {
      operation: 'POST /zones/{zone_id}/gate/unknown_keys',
      body: { configuration_id: '{config_id}', keys: [{ alg: 'ES256', kid: 'new' }] },
    },
    {
      operation: `POST ${OPERATIONS}/item`,
      body: operation('/orders/{id}'),
      keep: { operation_id: 'operation_id' },
    },
    {
      operation: `POST ${OPERATIONS}`,
      body: [operation('/a'), operation('/b')],
      keep: { first_operation_id: '0.operation_id', second_operation_id: '1.operation_id' },
    },
    { operation: 'PATCH /zones/{zone_id}', body: { plan: { id: 'pro' } } },
    {
      operation: `POST ${RULESETS}`,
      body: { name: 'x', kind: 'zone', phase: 'http_custom_errors' },
      keep: { ruleset_id: 'id' },
    },
    { operation: `PUT ${RULESETS}/{ruleset_id}`, body: { rules: [] } },
    {
      operation: `POST ${RULESETS}/{ruleset_id}/rules`,
      body: errorRule,
      keep: { rule_id: 'rules.0.id', error_rule_id: 'rules.0.id' },
    },
    { operation: `PATCH ${RULESETS}/{ruleset_id}/rules/{rule_id}`, body: { enabled: false } },
    { operation: `PUT ${RULESETS}/phases/{phase}/entrypoint`, body: { rules: [errorRule] } },
    {
      operation: `GET ${RULESETS}/phases/{phase}/entrypoint`,
      keep: { error_rule_id: 'rules.0.id' },
    },
    {
      operation: `PUT ${ZONE}/custom_pages/{identifier}`,
      body: { state: 'customized', content: '<!doctype html><p>No way' },
    },
    { operation: `PUT ${ZONE}/edge_errors/settings`, body: { name: 'Shop' } },
    { operation: `PATCH ${ZONE}/edge_errors/settings`, body: { footer: 'Ask us' } },
    { operation: `POST ${ZONE}/edge_errors/preview`, body: { error_code: 522 } },
    { operation: `POST ${RULES}`, body: blocking, keep: { rule_id: 'id' } },
    { operation: `POST ${RULES}/bulk`, body: [blocking], keep: { spare_rule_id: '0.id' } },
    { operation: `PATCH ${RULES}/{rule_id}`, body: { ...blocking, position: { index: 1 } } },
    {
      operation: `PATCH ${RULES}/bulk`,
      body: [{ id: '{spare_rule_id}', title: 'x', position: { after: '{rule_id}' } }],
    },
    { operation: `PUT ${RULES}/preview`, body: blocking.selector },
    { operation: `POST ${RULES}/preview`, body: blocking.selector },
    {
      operation: `POST ${SCHEMAS}`,
      body: { ...openapi, source: document('/carts') },
      keep: { schema_id: 'schema_id' },
    },
    {
      operation: `POST ${OLD_SCHEMAS}`,
      form: { kind: 'openapi_v3', file: [document('/old')] },
      keep: { spare_schema_id: 'schema.schema_id' },
    },
    { operation: `PATCH ${SCHEMAS}/{schema_id}`, body: { validation_enabled: false } },
    { operation: `PATCH ${OLD_SCHEMAS}/{schema_id}`, body: { validation_enabled: true } },
    {
      operation: `PATCH ${GATE}/settings`,
      body: {
        settings: {
          block_status: 'auto',
          merge_slashes: true,
          claim_headers: [
            { header: 'x-customer', configuration_id: '{config_id}', claim: ['user', 'id'] },
          ],
        },
        lists: { Ip: { office: ['192.0.2.0/24'] } },
      },
    },
    { operation: `POST ${GATE}/instances`, body: report },
    { operation: `GET ${GATE}/versions`, keep: { version_number: '0.version' } },
    { operation: `POST ${GATE}/rollback`, body: { version: '{version_number}' } },
    {
      operation: 'POST /user/tokens',
      body: { name: 'Reader', policies, expires_on: '2100-01-01T00:00:00Z' },
      keep: { token_id: 'id', token_text: 'value' },
      tells: true,
    },
    { operation: 'PUT /user/tokens/{token_id}', body: { name: 'Reader', policies } },
    {
      operation: 'PUT /user/tokens/{token_id}/value',
      keep: { rolled_token_text: '' },
      tells: true,
    },
  ]
}

/** What ends things: after everything else. */
export const ENDING_CALLS: readonly GoodCall[] = [
  { operation: `DELETE ${RULES}/{rule_id}`, at: { rule_id: 'spare_rule_id' } },
  {
    operation: `DELETE ${RULESETS}/{ruleset_id}/rules/{rule_id}`,
    at: { rule_id: 'error_rule_id' },
  },
  { operation: `DELETE ${RULESETS}/{ruleset_id}` },
  { operation: `DELETE ${CONFIG}/{config_id}`, at: { config_id: 'spare_config_id' } },
  { operation: `DELETE ${OPERATIONS}/{operation_id}`, at: { operation_id: 'first_operation_id' } },
  { operation: `DELETE ${OPERATIONS}`, body: [{ operation_id: '{second_operation_id}' }] },
  { operation: `DELETE ${SCHEMAS}/{schema_id}` },
  { operation: `DELETE ${OLD_SCHEMAS}/{schema_id}`, at: { schema_id: 'spare_schema_id' } },
  { operation: 'DELETE /zones/{zone_id}', at: { zone_id: 'spare_zone_id' } },
  { operation: 'DELETE /accounts/{account_id}', at: { account_id: 'spare_account_id' } },
  { operation: 'DELETE /user/tokens/{token_id}' },
]
