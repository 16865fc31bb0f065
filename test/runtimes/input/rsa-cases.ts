import { caseOfKey, type KeyCases, type Signing } from './case-of-key.js'
import {
  bytesOf,
  makeRsa,
  numberOf,
  pkcs1Block,
  pssBlock,
  type MadeRsa,
  type PssShape,
} from './made-rsa.js'

/** DigestInfo up to the hash (RFC 8017 9.2), and the same without the NULL that belongs to it. */
const PREFIXES = new Map([
  [256, ['3031300d060960864801650304020105000420', '302f300b06096086480165030402010420']],
  [384, ['3041300d060960864801650304020205000430', '303f300b06096086480165030402020430']],
  [512, ['3051300d060960864801650304020305000440', '304f300b06096086480165030402030440']],
] as const)

/** Moduli and exponents at the limits of what may be configured, and of what runtimes do. */
const RSA_SHAPES: readonly (readonly [bits: number, exponent: bigint])[] = [
  [2048, 3n],
  [2048, 65537n],
  [2048, 4294967291n],
  [2049, 65537n],
  [2055, 65537n],
  [2056, 65537n],
  [3072, 17n],
  [4096, 65537n],
  [4104, 65537n],
  [8191, 65537n],
  [8192, 65537n],
]

const ALGS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512']
const BAD = 'bad_signature'

/** Keys of unusual sizes, and signatures that are nearly right. */
export function rsaCases(): KeyCases {
  const sets = RSA_SHAPES.map(([bits, exponent]) => ({
    name: `rsa-${bits}-${exponent}`,
    key: makeRsa(bits, exponent),
  }))
  return {
    keySets: Object.fromEntries(
      sets.map(({ name, key }) => [name, ALGS.map((alg) => ({ ...key.jwk, alg, kid: alg }))]),
    ),
    tokens: sets.flatMap(({ name, key }) =>
      ALGS.flatMap((alg) => signings(key, alg).map((signing) => caseOfKey(name, alg, signing))),
    ),
  }
}

/** Above this size a few will do: each takes a while. */
const MANY_BITS = 4096

function signings(key: MadeRsa, alg: string): readonly Signing[] {
  const { size, n, bits } = key
  const hash = Number(alg.slice(2)) as 256 | 384 | 512
  const otherHash = hash === 256 ? 384 : 256
  const [prefix, bare] = PREFIXES.get(hash)!
  const signed = (block: (input: string) => Buffer) => (input: string) =>
    bytesOf(key.apply(block(input)), size)
  const pkcs1 = (start: string) => signed((input) => pkcs1Block(key, input, start, hash))
  const pss = (shape: Partial<PssShape>) =>
    signed((input) => pssBlock(key, input, { hash, saltLength: hash / 8, ...shape }))
  const [good, other] = alg.startsWith('PS') ? [pss({}), pkcs1(prefix)] : [pkcs1(prefix), pss({})]
  const always: readonly Signing[] = [
    ['good', good, 'valid'],
    ['another message', (input) => good(`${input} `), BAD],
    ['plus the modulus', (input) => beyond(numberOf(good(input)), n, size), BAD],
  ]
  const ofAnySize: readonly Signing[] = [
    ['the other padding', other, BAD],
    ['zero', () => Buffer.alloc(size), BAD],
    ['one', () => bytesOf(1n, size), BAD],
    ['the modulus less one', () => bytesOf(n - 1n, size), BAD],
    ['the modulus', () => bytesOf(n, size), BAD],
    ['all ones', () => Buffer.alloc(size, 0xff), BAD],
    ['a byte short', (input) => good(input).subarray(1), BAD],
    ['a byte long', (input) => Buffer.concat([Buffer.alloc(1), good(input)]), BAD],
  ]
  const ofPss: readonly Signing[] = [
    ...[0, 1, 20, hash / 8 - 1, hash / 8 + 1, size - hash / 8 - 3].map((saltLength): Signing => [
      `a salt of ${saltLength}`,
      pss({ saltLength }),
      BAD,
    ]),
    ['another mask', pss({ maskHash: otherHash }), BAD],
    ['another trailer', pss({ trailer: 0xbd }), BAD],
  ]
  const ofPkcs1: readonly Signing[] = [
    ['another hash', pkcs1(PREFIXES.get(otherHash)![0]), BAD],
    ['no NULL', pkcs1(bare), BAD],
    ['junk after the hash', pkcs1(`${prefix}00`), BAD],
  ]
  if (bits > MANY_BITS) return always
  return [...always, ...ofAnySize, ...(alg.startsWith('PS') ? ofPss : ofPkcs1)]
}

/** The same number modulo the modulus, where it still fits in the bytes; else the largest. */
function beyond(signature: bigint, modulus: bigint, size: number): Buffer {
  const sum = signature + modulus
  return sum < 1n << BigInt(8 * size) ? bytesOf(sum, size) : Buffer.alloc(size, 0xff)
}
