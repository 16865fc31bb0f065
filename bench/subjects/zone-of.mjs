/**
 * A policy with one token configuration that every rule asks about, and operations spread over hosts
 * of which each has a rule.
 */
export function zoneOf(jwk, operations, rules) {
  const hosts = Array.from({ length: rules }, (_, at) => `h${at}.example.com`)
  return {
    id: 'bench',
    name: 'example.com',
    token_configurations: [
      {
        id: 'main',
        token_sources: ['http.request.headers["authorization"][0]'],
        credentials: { keys: [jwk] },
      },
    ],
    operations: Array.from({ length: operations }, (_, at) => ({
      operation_id: `op-${at}`,
      method: 'GET',
      host: hosts[at % rules],
      endpoint: `/v1/things${at}/{id}`,
    })),
    rules: hosts.map((host, at) => ({
      id: `rule-${at}`,
      action: 'block',
      expression: 'is_jwt_valid("main")',
      selector: { include: [{ host }], exclude: [{ operation_ids: ['op-none'] }] },
    })),
  }
}
