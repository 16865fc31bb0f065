/** Text that its author chooses: it is kept and answered as it is, so no secret is put there whole. */
const OWN_TEXT = new Set([
  'title',
  'description',
  'name',
  'id',
  'kid',
  'expression',
  'token_sources',
  'host',
  'endpoint',
  'operation_ids',
  'source',
  'content',
  'footer',
  'ref',
  'claim',
  'header',
  'instance',
  'hash',
  'code',
  'message',
  'pointer',
])

/** A body that is sent as it is. */
export interface BadBody {
  readonly type: string
  readonly text: string
}

const json = (value: unknown): BadBody => ({
  type: 'application/json',
  text: JSON.stringify(value),
})

/** Bodies that hold a secret where none belongs: made from a good one, place by place. */
export function* badBodies(good: unknown, secret: string): Generator<BadBody> {
  const text = JSON.stringify(good)
  for (const broken of [
    secret,
    `{"k":${secret}}`,
    `{"k":"${secret}`,
    `{"k":"${secret}\n"}`,
    `${text.slice(0, -1)},"k":"${secret}"`,
    `${text} "${secret}"`,
    `\u0000${secret}`,
  ])
    yield { type: 'application/json', text: broken }
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', `application/${secret}`])
    yield { type, text: `k=${secret}` }
  yield { type: 'multipart/form-data; boundary=b', text: `--b\r\n${secret}: x\r\n\r\n${secret}` }
  for (const value of mutations(good, secret, '')) yield json(value)
  if (text.includes('"keys":'))
    for (const key of badKeys(secret))
      for (const keys of [[key], [{ ...key, kid: 'another' }, key, key]])
        yield json(replaced(good, 'keys', keys))
}

/** A value with the secret in place of each of its parts, beside each, and as the name of one. */
function* mutations(value: unknown, secret: string, name: string): Generator<unknown> {
  if (!OWN_TEXT.has(name)) yield* [secret, [secret]]
  // Longer than any text may be.
  yield secret.repeat(name === 'content' ? 4000 : 200)
  yield [[secret]]
  yield { [secret]: secret }
  yield { k: secret }
  if (Array.isArray(value)) {
    yield [...value, { k: secret }]
    for (const [at, item] of value.entries())
      for (const changed of mutations(item, secret, name)) yield value.with(at, changed)
  } else if (typeof value === 'object' && value !== null) {
    yield { ...value, [secret]: 1 }
    yield { ...value, k: secret, unknown: { k: secret } }
    for (const [member, part] of Object.entries(value))
      for (const changed of mutations(part, secret, member)) yield { ...value, [member]: changed }
  }
}

/** Keys that hold the secret and are no keys. */
const badKeys = (k: string): readonly Readonly<Record<string, unknown>>[] => {
  const key = { kty: 'oct', alg: 'HS256', kid: 'bad', k }
  return [
    { ...key, k: `${k}=` },
    { ...key, k: `${k}!` },
    { ...key, k: k.slice(0, 20) },
    { ...key, k: [k] },
    { ...key, k: { k } },
    { ...key, alg: 'HS999' },
    { ...key, alg: k },
    { ...key, kty: k },
    { ...key, kty: 'RSA', alg: 'RS256' },
    { ...key, kty: 'EC', alg: 'ES256', x: k, y: k },
    { ...key, use: k },
    { ...key, key_ops: [k] },
    { ...key, kid: '' },
    { ...key, d: k },
    { kty: 'oct', kid: 'bad', k },
    { kty: 'RSA', alg: 'RS256', kid: 'bad', n: k, e: k },
    { kty: 'EC', alg: 'ES256', kid: 'bad', crv: k, x: k, y: k },
  ]
}

/** The same value with another member wherever there is one of the name. */
function replaced(value: unknown, name: string, by: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => replaced(item, name, by))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([member, part]) => [
      member,
      member === name ? by : replaced(part, name, by),
    ]),
  )
}

/** Texts that are no OpenAPI document, and hold the secret. */
export const badDocuments = (secret: string): readonly string[] => [
  secret,
  `{"k":"${secret}"}`,
  `{"k":"${secret}"`,
  `k: "${secret}`,
  `k: *${secret}`,
  `k: !!${secret} 1`,
  `k: !${secret} 1`,
  `%${secret} 1\n---\nk: 1`,
  `%YAML ${secret}\n---\nk: 1`,
  `${secret}: 1\n${secret}: 2`,
  `? ${secret}\n? ${secret}`,
  `- ${secret}\n k: ${secret}`,
  `k: |${secret}\n x`,
  `k: '${secret}\n---\n`,
  `&${secret}\n&${secret} x`,
  `openapi: ${secret}`,
  `openapi: 3.1.0\npaths: ${secret}`,
  `openapi: 3.1.0\npaths: { ${secret}: {} }`,
  `openapi: 3.1.0\npaths: { /a: ${secret} }`,
  `openapi: 3.1.0\npaths: { /a: { get: ${secret} } }`,
  `openapi: 3.1.0\npaths: { /a: { $ref: '${secret}' } }`,
  `swagger: ${secret}\nk: ${secret}`,
]
