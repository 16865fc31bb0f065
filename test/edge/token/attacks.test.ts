import { createHmac, createPublicKey, createSecretKey, sign } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import {
  createVerdictCache,
  createVerifier,
  importKeySet,
  webCrypto,
  type CryptoBackend,
  type VerdictStatus,
} from '../../../src/edge/token/index.js'
import { nodeCrypto } from '../../../src/node/crypto.js'
import { encode, makeKey, makeToken, signInput, type SigningKey } from './keys.js'

const NOW = 1_700_000_000
const BACKENDS: readonly CryptoBackend[] = [nodeCrypto(), webCrypto()]

const rsa = makeKey('RS256', 'rsa')
const mac = makeKey('HS256', 'mac')
const ec = makeKey('ES256', 'ec')
const ec384 = makeKey('ES384', 'ec384')
const bothRsa = makeKey('RS256', 'both')
const bothEc = makeKey('ES256', 'both')
const CONFIGURED = [rsa, mac, ec, ec384, bothRsa, bothEc].map(({ jwk }) => jwk)

const stranger = makeKey('ES256', 'ec')
const P256_ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

type Row = readonly [name: string, token: string, expected: VerdictStatus]

describe.each(BACKENDS.map((crypto) => [crypto.name, crypto] as const))(
  'on %s',
  (_name, crypto) => {
    const keySet = importKeySet(CONFIGURED, crypto)
    const verifier = createVerifier({ crypto })
    const cached = createVerifier({ crypto, cache: createVerdictCache() })

    describe.each<readonly [string, readonly Row[]]>([
      ['A. algorithm and key confusion', algorithmConfusion()],
      ['B. encoding and structure', encodingAndStructure()],
      ['C. signatures', signatures()],
      ['D. crit', criticalHeaders()],
      ['E. claims', claims()],
    ])('%s', (_section, rows) => {
      test.each(rows)('%s', async (_row, token, expected) => {
        const verdict = await verifier.verify(token, keySet, NOW)
        expect(verdict.status).toBe(expected)
        expect(verdict.claims !== undefined).toBe(expected === 'valid')
        // Twice through a cache: the outcome stands on the way in and on the way out.
        expect((await cached.verify(token, keySet, NOW)).status).toBe(expected)
        expect((await cached.verify(token, keySet, NOW)).status).toBe(expected)
      })
    })

    test('G. a token of one configuration is nothing to another with the same kid, cache or not', async () => {
      const other = importKeySet([{ ...stranger.jwk }], crypto)
      const token = makeToken(ec)
      expect((await cached.verify(token, keySet, NOW)).status).toBe('valid')
      expect((await cached.verify(token, other, NOW)).status).toBe('bad_signature')
      expect((await cached.verify(token, keySet, NOW)).status).toBe('valid')
    })

    test('G. a secret is in nothing that a key set or verdict shows', async () => {
      const token = makeToken(mac)
      const verdict = await verifier.verify(token, keySet, NOW)
      const { k } = mac.jwk as { k: string }
      const shown = JSON.stringify([verdict, keySet, keySet.publicKeys(), keySet.messages])
      expect(shown).not.toContain(k)
      expect(keySet.publicKeys()[1]).toEqual({ kty: 'oct', alg: 'HS256', kid: 'mac' })
    })

    test('B. a flood of bytes is refused by its length', () => {
      const flood = [
        '.'.repeat(1_000_000),
        `${makeToken(rsa)}${'A'.repeat(5_000_000)}`,
        `a.${'A'.repeat(1_000_000)}.a`,
      ]
      for (const token of flood) {
        expect(verifier.verify(token, keySet, NOW)).toMatchObject({
          status: 'too_large',
          key: null,
        })
      }
    })
  },
)

function algorithmConfusion(): Row[] {
  const pem = createSecretKey(Buffer.from(publicPem(rsa)))
  const jwkText = createSecretKey(Buffer.from(JSON.stringify(rsa.jwk)))
  const pssByRsa = { ...rsa, alg: 'PS256' }
  return [
    ...['none', 'None', 'NONE', 'nOnE'].flatMap((alg): Row[] => [
      [`alg ${alg} without signature`, unsigned({ alg, kid: 'rsa' }), 'alg_not_allowed'],
      [`alg ${alg} with signature`, makeToken(rsa, { header: { alg } }), 'alg_not_allowed'],
    ]),
    ...[
      '',
      undefined,
      null,
      ['RS256'],
      256,
      { name: 'RS256' },
      '__proto__',
      'constructor',
      'toString',
      'rs256',
      'RS256 ',
    ].map((alg): Row => [
      `alg ${JSON.stringify(alg)}`,
      makeToken(rsa, { header: { alg } }),
      'alg_not_allowed',
    ]),
    ['HS256 by the RSA public PEM, RSA kid', hmac('rsa', pem), 'alg_not_allowed'],
    ['HS256 by the RSA public PEM, HMAC kid', hmac('mac', pem), 'bad_signature'],
    ['HS256 by the public JWK text, RSA kid', hmac('rsa', jwkText), 'alg_not_allowed'],
    ['HS256 by the public JWK text, HMAC kid', hmac('mac', jwkText), 'bad_signature'],
    ['HS256 by an empty secret', byEmptySecret(), 'bad_signature'],
    ['RS256 with the HMAC kid', makeToken({ ...rsa, kid: 'mac' }), 'alg_not_allowed'],
    ['PS256 by the RS256 key', makeToken(pssByRsa), 'alg_not_allowed'],
    [
      'a PSS signature under RS256',
      makeToken(pssByRsa, { header: { alg: 'RS256' } }),
      'bad_signature',
    ],
    ['RS384 by the RS256 key', makeToken({ ...rsa, alg: 'RS384' }), 'alg_not_allowed'],
    [
      'an RS384 signature under RS256',
      makeToken({ ...rsa, alg: 'RS384' }, { header: { alg: 'RS256' } }),
      'bad_signature',
    ],
    ['ES256 under the ES384 kid', makeToken({ ...ec, kid: 'ec384' }), 'alg_not_allowed'],
    ['ES512', makeToken(ec, { header: { alg: 'ES512' } }), 'alg_not_allowed'],
    ['an embedded jwk', makeToken(stranger, { header: { jwk: stranger.jwk } }), 'bad_signature'],
    ...(['jku', 'x5u'] as const).map((name): Row => [
      name,
      makeToken(stranger, { header: { [name]: 'https://mallory.example/' } }),
      'bad_signature',
    ]),
    ['x5c', makeToken(stranger, { header: { x5c: ['MIIB'] } }), 'bad_signature'],
    [
      'an embedded jwk beside a good signature',
      makeToken(ec, { header: { jwk: stranger.jwk } }),
      'valid',
    ],
    ...[
      undefined,
      null,
      '',
      'nobody',
      5,
      { kid: 'rsa' },
      ['rsa'],
      '__proto__',
      'constructor',
      'rsa\0',
      'RSA',
      '../rsa',
      "' or 1=1 --",
      'r'.repeat(2000),
    ].map((kid): Row => [
      `kid ${JSON.stringify(kid)?.slice(0, 20)}`,
      makeToken(rsa, { header: { kid } }),
      'unknown_key',
    ]),
    ['one kid with two algs: the RSA one', makeToken(bothRsa), 'valid'],
    ['one kid with two algs: the EC one', makeToken(bothEc), 'valid'],
  ]
}

function encodingAndStructure(): Row[] {
  const good = makeToken(rsa)
  const [header, payload, signature] = good.split('.') as [string, string, string]
  const withPayload = (text: string | Uint8Array) => makeToken(rsa, { payload: text })
  const withHeader = (text: string) => makeToken(rsa, { header: text })
  const members = '"alg":"RS256","kid":"rsa"'
  return [
    ['the same token untouched', good, 'valid'],
    ['padding on the signature', `${good}==`, 'malformed'],
    ['padding on the header', `${header}=.${payload}.${signature}`, 'malformed'],
    ...[' ', '\n', '\t', '\r\n', '\0', '\u00a0'].flatMap((space): Row[] => [
      [`${JSON.stringify(space)} after the token`, `${good}${space}`, 'malformed'],
      [`${JSON.stringify(space)} before the token`, `${space}${good}`, 'malformed'],
      [
        `${JSON.stringify(space)} inside the payload`,
        `${header}.${payload.slice(0, 4)}${space}${payload.slice(4)}.${signature}`,
        'malformed',
      ],
    ]),
    ...spellings(good).map((token, index): Row => [
      `non-canonical last character, spelling ${index + 1}`,
      token,
      'malformed',
    ]),
    ['+ and / of standard base64', standardAlphabet(), 'malformed'],
    ['a segment of length 1 modulo 4', `${header}.${payload}A.${signature}`, 'malformed'],
    [
      'characters beyond Latin-1 with the same low bytes',
      `${header}.${payload}.${String.fromCharCode(signature.charCodeAt(0) + 0x100)}${signature.slice(1)}`,
      'malformed',
    ],
    [
      'invalid UTF-8 in the payload',
      withPayload(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])),
      'bad_claims',
    ],
    [
      'an unpaired surrogate in UTF-8',
      withPayload(Buffer.from([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d])),
      'bad_claims',
    ],
    ['a BOM before the payload', withPayload('\ufeff{"sub":"alice"}'), 'bad_claims'],
    ['a BOM before the header', withHeader(`\ufeff{${members}}`), 'malformed'],
    ['a duplicate alg, the second none', withHeader(`{${members},"alg":"none"}`), 'malformed'],
    ['a duplicate alg, the first none', withHeader(`{"alg":"none",${members}}`), 'malformed'],
    [
      'a duplicate alg under an escaped name',
      withHeader(`{${members},"\\u0061lg":"RS256"}`),
      'malformed',
    ],
    ['a duplicate exp, past then future', withPayload(`{"exp":1,"exp":${NOW + 60}}`), 'bad_claims'],
    [
      'a duplicate exp under an escaped name',
      withPayload(`{"exp":1,"e\\u0078p":${NOW + 60}}`),
      'bad_claims',
    ],
    ['a duplicate member in a nested object', withPayload('{"a":[{"b":1,"b":1}]}'), 'bad_claims'],
    ['a duplicate __proto__', withPayload('{"__proto__":1,"__proto__":2}'), 'bad_claims'],
    ['one name at two depths', withPayload('{"a":{"a":{"a":1}}}'), 'valid'],
    [
      'colons, quotes and braces inside of strings',
      withPayload('{"a\\":\\"b":"{:,\\\\","c":"\\\\\\":"}'),
      'valid',
    ],
    ['an escaped exp is exp', withPayload(`{"e\\u0078p":${NOW - 61}}`), 'expired'],
    [
      'a __proto__ member is data',
      withPayload('{"__proto__":{"admin":true},"sub":"alice"}'),
      'valid',
    ],
    [
      'exp in a __proto__ member is no exp',
      withPayload('{"__proto__":{"exp":1,"nbf":9999999999}}'),
      'valid',
    ],
    [
      'crit in a __proto__ member of the header is no crit',
      withHeader(`{${members},"__proto__":{"crit":["x"]}}`),
      'valid',
    ],
    [
      'a payload nested 5,000 deep',
      withPayload(`{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`),
      'bad_claims',
    ],
    ['a payload nested 32 deep', withPayload(`{"a":${'['.repeat(31)}${']'.repeat(31)}}`), 'valid'],
    [
      'a payload nested 33 deep',
      withPayload(`{"a":${'['.repeat(32)}${']'.repeat(32)}}`),
      'bad_claims',
    ],
    [
      'a header nested 1,000 deep',
      withHeader(`{${members},"a":${'['.repeat(1000)}${']'.repeat(1000)}}`),
      'malformed',
    ],
    [
      'a header beyond its length',
      withHeader(`{${members},"a":"${'a'.repeat(4000)}"}`),
      'too_large',
    ],
    ['no dot', header, 'malformed'],
    ['one dot', `${header}.${payload}`, 'malformed'],
    ['three dots', `${good}.`, 'malformed'],
    ['four segments', `${good}.${signature}`, 'malformed'],
    [
      'five segments, as encrypted tokens have',
      `${header}.${payload}.${payload}.${payload}.${signature}`,
      'malformed',
    ],
    ['dots only', '..', 'malformed'],
    ['JSON serialization', JSON.stringify({ protected: header, payload, signature }), 'malformed'],
    ['an empty header', `.${payload}.${signature}`, 'malformed'],
    ['an empty signature', `${header}.${payload}.`, 'bad_signature'],
    ['a header that is an array', withHeader(`[{${members}}]`), 'malformed'],
    ['a header that is text', withHeader('"RS256"'), 'malformed'],
    ['a header that is no JSON', withHeader(`{${members},}`), 'malformed'],
    ['a header with single quotes', withHeader("{'alg':'RS256'}"), 'malformed'],
    ...[
      '',
      '[]',
      '[{"sub":"alice"}]',
      'null',
      'true',
      '1',
      '"text"',
      '{',
      '{"a":1}x',
      '{"a":}',
      '{"a"}',
      'alice',
    ].map((text): Row => [
      `a payload of ${text === '' ? 'nothing' : text}`,
      withPayload(text),
      'bad_claims',
    ]),
    ['an empty object as payload', withPayload('{}'), 'valid'],
    ['no token', '', 'absent'],
    ['the scheme left in front', `Bearer ${good}`, 'malformed'],
  ]
}

function signatures(): Row[] {
  const good = makeToken(ec)
  const input = good.slice(0, good.lastIndexOf('.'))
  const signature = Buffer.from(good.slice(input.length + 1), 'base64url')
  const r = signature.subarray(0, 32)
  const s = BigInt(`0x${signature.subarray(32).toString('hex')}`)
  const zero = Buffer.alloc(32)
  const order = scalar(P256_ORDER)
  const ecRow = (
    name: string,
    bytes: Uint8Array,
    expected: VerdictStatus = 'bad_signature',
  ): Row => [`ES256, ${name}`, `${input}.${encode(bytes)}`, expected]
  const der = sign('sha256', Buffer.from(input), ec.privateKey)
  const macInput = makeToken(mac).split('.').slice(0, 2).join('.')
  const tag = signInput(mac, macInput)
  const macRow = (
    name: string,
    bytes: Uint8Array,
    expected: VerdictStatus = 'bad_signature',
  ): Row => [`HS256, ${name}`, `${macInput}.${encode(bytes)}`, expected]
  const rsaInput = makeToken(rsa).split('.').slice(0, 2).join('.')
  const rsaSignature = signInput(rsa, rsaInput)
  const rsaRow = (name: string, bytes: Uint8Array): Row => [
    `RS256, ${name}`,
    `${rsaInput}.${encode(bytes)}`,
    'bad_signature',
  ]
  return [
    ecRow('r = s = 0', Buffer.alloc(64)),
    ecRow('r = 0', Buffer.concat([zero, signature.subarray(32)])),
    ecRow('s = 0', Buffer.concat([r, zero])),
    ecRow('r = n', Buffer.concat([order, signature.subarray(32)])),
    ecRow('s = n', Buffer.concat([r, order])),
    ecRow('r = s = n', Buffer.concat([order, order])),
    ecRow('r and s all ones', Buffer.alloc(64, 0xff)),
    ecRow('r = s = 1', Buffer.concat([scalar(1n), scalar(1n)])),
    ecRow('DER', der),
    ecRow('63 bytes', signature.subarray(1)),
    ecRow('65 bytes', Buffer.concat([Buffer.alloc(1), signature])),
    ecRow('r and s swapped', Buffer.concat([signature.subarray(32), r])),
    ecRow('s replaced by n - s', Buffer.concat([r, scalar(P256_ORDER - s)]), 'valid'),
    macRow('the whole tag', tag, 'valid'),
    macRow('16 bytes of the tag', tag.subarray(0, 16)),
    macRow('no tag', Buffer.alloc(0)),
    macRow('a longer tag', Buffer.concat([tag, Buffer.alloc(1)])),
    macRow(
      'SHA-512 of the same secret',
      createHmac('sha512', mac.privateKey).update(macInput).digest(),
    ),
    rsaRow('zeros', Buffer.alloc(256)),
    rsaRow('one', Buffer.concat([Buffer.alloc(255), Buffer.of(1)])),
    rsaRow('a zero byte in front', Buffer.concat([Buffer.alloc(1), rsaSignature])),
    rsaRow('all ones, beyond the modulus', Buffer.alloc(256, 0xff)),
    [
      'a signature of another token',
      `${encode({ alg: 'RS256', kid: 'rsa' })}.${encode({ sub: 'root' })}.${encode(rsaSignature)}`,
      'bad_signature',
    ],
  ]
}

function criticalHeaders(): Row[] {
  return [
    ['an unknown extension', ['x']],
    ['an empty array', []],
    ['no array', 'x'],
    ['null', null],
    ['an absent member', ['exp']],
    ['a registered member', ['alg']],
    ['duplicates', ['x', 'x']],
    ['b64', ['b64']],
  ].map(([name, crit]): Row => [
    `crit: ${String(name)}`,
    makeToken(rsa, { header: { crit, x: 1, b64: false } }),
    'critical_header',
  ])
}

function claims(): Row[] {
  const row = (name: string, payload: unknown, expected: VerdictStatus): Row => [
    name,
    makeToken(ec, { payload }),
    expected,
  ]
  return [
    row('exp a second within tolerance', { exp: NOW - 59 }, 'valid'),
    row('exp at the end of tolerance', { exp: NOW - 60 }, 'expired'),
    row('a fraction within tolerance', { exp: NOW - 59.5 }, 'valid'),
    row('exp long ago', { exp: 1 }, 'expired'),
    row('exp of zero', { exp: 0 }, 'expired'),
    row('a negative exp', { exp: -1 }, 'expired'),
    row('nbf at the end of tolerance', { nbf: NOW + 60 }, 'valid'),
    row('nbf beyond tolerance', { nbf: NOW + 61 }, 'not_yet_valid'),
    row('expired and not yet valid', { exp: 1, nbf: NOW + 100 }, 'expired'),
    ...['exp', 'nbf'].flatMap((name) => [
      ...[String(NOW + 60), '', null, true, [NOW + 60], {}].map((value) =>
        row(`${name} as ${JSON.stringify(value)}`, { [name]: value }, 'bad_claims'),
      ),
      row(`${name} beyond all numbers`, `{"${name}":1e400}`, 'bad_claims'),
      row(`${name} below all numbers`, `{"${name}":-1e400}`, 'bad_claims'),
    ]),
    row('no exp', { sub: 'alice' }, 'valid'),
    row('iat an hour ahead is not judged here', { iat: NOW + 3600 }, 'valid'),
    row('iss and aud are not judged here', { iss: ['a'], aud: { a: 1 } }, 'valid'),
    row(
      'claims named like members of every object',
      '{"constructor":1,"toString":2,"hasOwnProperty":3}',
      'valid',
    ),
  ]
}

function unsigned(header: object): string {
  return `${encode(header)}.${encode({ sub: 'mallory' })}.`
}

function hmac(kid: string, privateKey: SigningKey['privateKey']): string {
  return makeToken({ alg: 'HS256', kid, jwk: {}, privateKey })
}

function publicPem({ privateKey }: SigningKey): string {
  return createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }).toString()
}

function byEmptySecret(): string {
  const input = makeToken(mac).split('.').slice(0, 2).join('.')
  return `${input}.${createHmac('sha256', '').update(input).digest('base64url')}`
}

/** The other spellings of one token's last character: the four bits that 256 bytes leave unused. */
function spellings(token: string): string[] {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const last = alphabet.indexOf(token.at(-1)!)
  return Array.from({ length: 15 }, (_, bits) => token.slice(0, -1) + alphabet[last | (bits + 1)])
}

/** A token whose segments need the two characters in which the alphabets differ. */
function standardAlphabet(): string {
  const token = makeToken(rsa, { payload: { a: '???>>>~~~' } })
  return token.replaceAll('-', '+').replaceAll('_', '/')
}

function scalar(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex')
}
