import { expect, test } from 'vitest'
import { keyFor } from '../../edge/token/keys.js'
import { CONFIG, config, idOf, many, refusalOf } from './bodies.js'
import { servedFor } from './served.js'

const { call } = servedFor('token_configurations', 'token_keys')

const withKey = (key: object) => config({ credentials: { keys: [key] } })
const keys = (count: number) => many(count, (at) => ({ ...keyFor('ES256').jwk, kid: `${at}` }))

test.each([
  ['HS256', 32],
  ['HS384', 48],
  ['HS512', 64],
])('a secret for %s has at least %i bytes', async (alg, bytes) => {
  const create = (length: number) => {
    const k = Buffer.from(many(length, (at) => at)).toString('base64url')
    return call('POST', CONFIG, withKey({ kty: 'oct', alg, kid: 'k', k }))
  }
  expect((await create(bytes)).status).toBe(200)
  expect(refusalOf(await create(bytes - 1))).toEqual([400, 110200, '/credentials/keys/0/k'])
})

const rsa = (bits: number) => {
  const bytes = Buffer.alloc(Math.ceil(bits / 8), 0xa5)
  bytes[0] = 1 << ((bits - 1) % 8)
  return { kty: 'RSA', alg: 'RS256', kid: 'k', e: 'AQAB', n: bytes.toString('base64url') }
}

test.each([
  [2047, 400],
  [2048, 200],
  [8192, 200],
  [8193, 400],
])('an RSA key of %i bits is answered %i', async (bits, status) => {
  const answer = await call('POST', CONFIG, withKey(rsa(bits)))
  expect(refusalOf(answer)).toEqual(
    status === 200 ? [200, undefined, undefined] : [400, 110200, '/credentials/keys/0/n'],
  )
})

test.each(['PUT', 'PATCH'])('%s credentials takes 16 and no 17th', async (method) => {
  const path = `${CONFIG}/${idOf(await call('POST', CONFIG, config()))}/credentials`
  expect((await call(method, path, { keys: keys(16) })).status).toBe(200)
  expect(refusalOf(await call(method, path, { keys: keys(17) }))).toEqual([400, 110200, '/keys'])
})
test('a zone has 32 token configurations and no 33rd, until one is deleted', async () => {
  const made = []
  for (let at = 0; at < 32; at++) made.push(await call('POST', CONFIG, config()))
  expect(made.map(({ status }) => status)).toEqual(many(32, () => 200))
  expect(refusalOf(await call('POST', CONFIG, config()))).toEqual([400, 110205, undefined])
  await call('DELETE', `${CONFIG}/${idOf(made[0]!)}`)
  expect((await call('POST', CONFIG, config())).status).toBe(200)
})
