import { makeKey } from './tokens.mjs'

/** The zone that the issue measures by. */
export const SIZES = { rules: 1000, operations: 10_000, configurations: 32 }
/** As much as a smoke needs. */
export const SMALL_SIZES = { rules: 10, operations: 100, configurations: 2 }

const ROLES = ['reader', 'writer', 'owner', 'auditor']

/**
 * A large zone as a policy document: an ECDSA key and an HMAC key a configuration, rules that ask about
 * tokens, claims and addresses, each for the operations of hosts of its own.
 */
export function bigZone({ rules, operations, configurations } = SIZES) {
  const hosts = Array.from({ length: rules }, (_, at) => `h${at}.big.example`)
  return {
    id: 'b'.repeat(32),
    name: 'big.example',
    token_configurations: Array.from({ length: configurations }, (_, at) => configuration(at)),
    operations: Array.from({ length: operations }, (_, at) => ({
      operation_id: crypto.randomUUID(),
      method: ['GET', 'POST', 'PUT', 'DELETE'][at % 4],
      host: hosts[at % rules],
      endpoint: `/v${at % 7}/things${at}/{id}/parts/{part}`,
    })),
    rules: hosts.map((host, at) => ({
      id: crypto.randomUUID(),
      title: `Rule ${at}`,
      description: `What ${host} serves is for whoever has a token`,
      action: 'block',
      enabled: true,
      expression: expressionOf(at, configurations),
      selector: {
        include: [{ host: [host] }],
        exclude: [{ operation_ids: [crypto.randomUUID()] }],
      },
    })),
  }
}

const idOf = (at) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`

function configuration(at) {
  return {
    id: idOf(at),
    title: `Configuration ${at}`,
    token_sources: [
      'http.request.headers["authorization"][0]',
      `http.request.cookies["t${at}"][0]`,
    ],
    credentials: { keys: [makeKey('ES256').jwk, makeKey('HS256').jwk] },
  }
}

function expressionOf(at, configurations) {
  const id = idOf(at % configurations)
  const role = `lookup_json_string(http.request.jwt.claims["${id}"][0], "role")`
  return `is_jwt_valid("${id}") and (${role} in {${ROLES.map((each) => `"${each}"`).join(' ')}} or ip.src in {10.${at % 256}.0.0/16 192.0.2.0/24}) and not http.user_agent contains "robot${at}"`
}
