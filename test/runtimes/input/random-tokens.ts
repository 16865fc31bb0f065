import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { ALGS, encode, keyFor, makeKey, signInput, type SigningKey } from '../../edge/token/keys.js'
import { NOW, type KeyCases } from './case-of-key.js'

/** Keys of the same names that nobody configured. */
const STRANGERS: ReadonlyMap<string, SigningKey> = new Map(ALGS.map((alg) => [alg, makeKey(alg)]))

const times = [-130, -61, -60, -59.5, 0, 59, 60.5, 61, 1000].flatMap((later) => [
  `"exp":${NOW + later}`,
  `"nbf":${NOW - later}`,
])
const plain = [
  String.raw`"sub":"\ud800"`,
  String.raw`"\ud83d\ude00":"\u0000"`,
  '"sub":"é😀"',
  '"__proto__":{"exp":1}',
  '"constructor":1',
  '"":0',
  '"10":1,"9":2',
  '"n":123456789012345678901234567890.5e-3',
  '"n":[1e400,-0,1E+2,9007199254740993,0.1,1e-7,1e21]',
  `"deep":${'['.repeat(40)}${']'.repeat(40)}`,
]
const odd = [
  ...['1e400', '-1e400', '-0', '1.7E+9', '01', '1.', '0x1', '"1"', 'null', '{}'].map(
    (value) => `"exp":${value}`,
  ),
  String.raw`"e\u0078p":1`,
  '"sub":"\u0001"',
  `"deep":${'{"a":'.repeat(200)}1${'}'.repeat(200)}`,
]
const claim = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...times) },
  { weight: 5, arbitrary: fc.constantFrom(...plain) },
  { weight: 1, arbitrary: fc.constantFrom(...odd) },
)
const object = fc.uniqueArray(claim, { maxLength: 3 }).map((members) => `{${members.join(',')}}`)
const payload = fc.oneof(
  { weight: 12, arbitrary: object },
  { weight: 2, arbitrary: fc.json({ maxDepth: 4 }) },
  {
    weight: 2,
    arbitrary: fc
      .dictionary(fc.string({ unit: 'binary' }), fc.jsonValue())
      .map((value) => JSON.stringify(value)),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
  { weight: 1, arbitrary: fc.constantFrom('\ufeff{}', ' {}', '{}\u00a0', '\t{ }\r\n', '{}{}', '') },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 24 }) },
  {
    weight: 1,
    arbitrary: fc
      .uint8Array({ minLength: 1, maxLength: 5 })
      .map((bytes) => Buffer.concat([Buffer.from('{"a":"'), bytes, Buffer.from('"}')])),
  },
)

const member = fc.constantFrom(
  '"typ":"JWT"',
  '"crit":[]',
  '"crit":["exp"]',
  '"kid":"kid-HS256"',
  '"alg":"HS256"',
  '"alg":"none"',
  '"alg":"ES512"',
  '"alg":null',
  '"kid":1',
  '"jwk":{}',
  String.raw`"a\u006cg":"RS256"`,
  '"é":"é"',
)
const header = fc.oneof(
  { weight: 9, arbitrary: fc.constant((own: string) => `{${own}}`) },
  {
    weight: 2,
    arbitrary: fc
      .array(member, { minLength: 1, maxLength: 2 })
      .map((members) => (own: string) => `{${[own, ...members].join(',')}}`),
  },
  { weight: 1, arbitrary: fc.json().map((text) => () => text) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<(own: string) => string>(
      (own) => `\ufeff{${own}}`,
      (own) => ` {${own}} `,
      (own) => `{${own},}`,
      (own) => `[{${own}}]`,
    ),
  },
)

/** What makes the third segment from the key's own signature. */
const signing = fc.oneof(
  { weight: 6, arbitrary: fc.constant('own' as const) },
  { weight: 1, arbitrary: fc.constantFrom('stranger' as const, 'random' as const) },
  { weight: 2, arbitrary: fc.tuple(fc.nat(), fc.nat(7)) },
)

const character = fc.oneof(
  fc.constantFrom(...'ABCwxyz0189-_.=+/ \n\t\0~'),
  fc.constantFrom('\u0141', '\u00e9', '\uff21', '\ud800', '\u0100'),
)
/** What is done to the text of a token, at a place given as any number. */
const damage = fc.oneof(
  { weight: 20, arbitrary: fc.constant((token: string) => token) },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.nat(), character).map(([place, text]) => (token: string) => {
      const at = place % token.length
      return token.slice(0, at) + text + token.slice(at + 1)
    }),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.nat(), character).map(([place, text]) => (token: string) => {
      const at = place % (token.length + 1)
      return token.slice(0, at) + text + token.slice(at)
    }),
  },
  { weight: 1, arbitrary: character.map((text) => (token: string) => token + text) },
  { weight: 1, arbitrary: character.map((text) => (token: string) => token.slice(0, -1) + text) },
  {
    weight: 1,
    arbitrary: fc.nat().map((place) => (token: string) => token.slice(0, place % token.length)),
  },
)

const made = fc.record({ alg: fc.constantFrom(...ALGS), header, payload, signing, damage })

/** So many tokens good, bad and strange: the same shapes for the same seed, signed by fresh keys. */
export function randomTokens(count: number, seed: number): KeyCases {
  const keys = ALGS.map((alg) => keyFor(alg))
  const tokens = fc.sample(made, { numRuns: count, seed }).map((parts, index) => {
    const key = keyFor(parts.alg)
    const input = `${encode(parts.header(`"alg":"${key.alg}","kid":"${key.kid}"`))}.${encode(parts.payload)}`
    const token = parts.damage(`${input}.${encode(signatureOf(key, input, parts.signing))}`)
    return { id: `random-token/${index}`, keys: 'random', token, now: NOW }
  })
  return { keySets: { random: keys.map(({ jwk }) => jwk) }, tokens }
}

function signatureOf(
  key: SigningKey,
  input: string,
  how: 'own' | 'stranger' | 'random' | readonly [number, number],
): Buffer {
  const own = signInput(how === 'stranger' ? STRANGERS.get(key.alg)! : key, input)
  if (how === 'random') return randomBytes(own.length)
  if (typeof how === 'string') return own
  const [place, bit] = how
  own[place % own.length]! ^= 1 << bit
  return own
}
