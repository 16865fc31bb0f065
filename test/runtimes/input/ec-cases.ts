import { makeKey, signInput, type SigningKey } from '../../edge/token/keys.js'
import { caseOfKey, type KeyCases, type Signing } from './case-of-key.js'
import { bytesOf, numberOf } from './made-rsa.js'

/** How many points each curve has. */
const ORDERS = new Map([
  ['ES256', 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n],
  [
    'ES384',
    0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973n,
  ],
])

const BAD = 'bad_signature'

/** Keys and signatures with leading zeros, and signatures that are nearly right. */
export function ecCases(): KeyCases {
  const keys = [...ORDERS.keys()].map(keyWithShortPoint)
  return {
    keySets: Object.fromEntries(keys.map(({ alg, jwk }) => [alg, [jwk]])),
    tokens: keys.flatMap((key) =>
      signings(key).map((signing) => caseOfKey(key.alg, key.alg, signing)),
    ),
  }
}

function signings(key: SigningKey): readonly Signing[] {
  const order = ORDERS.get(key.alg)!
  const halves =
    (change: (r: bigint, s: bigint) => readonly [bigint, bigint]) => (whole: Buffer) => {
      const half = whole.length / 2
      const [r, s] = change(numberOf(whole.subarray(0, half)), numberOf(whole.subarray(half)))
      return Buffer.concat([bytesOf(r, half), bytesOf(s, half)])
    }
  const changed: readonly (readonly [string, (whole: Buffer) => Buffer, Signing[2]])[] = [
    ['good', (whole) => whole, 'valid'],
    ['the other s', halves((r, s) => [r, order - s]), 'valid'],
    ['r is zero', halves((_r, s) => [0n, s]), BAD],
    ['s is zero', halves((r) => [r, 0n]), BAD],
    ['both are zero', halves(() => [0n, 0n]), BAD],
    ['both are one', halves(() => [1n, 1n]), BAD],
    ['r is the order', halves((_r, s) => [order, s]), BAD],
    ['s is the order', halves((r) => [r, order]), BAD],
    ['both are the order', halves(() => [order, order]), BAD],
    ['s is the order and one', halves((r) => [r, order + 1n]), BAD],
    ['both are the order less one', halves(() => [order - 1n, order - 1n]), BAD],
    ['the halves changed places', halves((r, s) => [s, r]), BAD],
    ['r negated', halves((r, s) => [order - r, s]), BAD],
    ['all ones', (whole) => Buffer.alloc(whole.length, 0xff), BAD],
    ['a byte short', (whole) => whole.subarray(1), BAD],
    ['a byte long', (whole) => Buffer.concat([whole, Buffer.alloc(1)]), BAD],
    ['empty', () => Buffer.alloc(0), BAD],
  ]
  return [
    ...changed.map(([what, change, expected]): Signing => [
      what,
      (input) => change(signInput(key, input)),
      expected,
    ]),
    ...SHAPES.map(([what, isSo]): Signing => [what, (input) => drawn(key, input, isSo), 'valid']),
  ]
}

/** Shapes that every good signature has by chance, and that writing it as DER must mind. */
const SHAPES: readonly (readonly [what: string, isSo: (signature: Buffer) => boolean])[] = [
  ['r begins with a zero', (whole) => whole[0] === 0],
  ['s begins with a zero', (whole) => whole[whole.length / 2] === 0],
  ['r begins with a one bit', (whole) => whole[0]! > 127],
  ['s is small and positive', (whole) => whole[whole.length / 2]! < 128],
]

function drawn(key: SigningKey, input: string, isSo: (signature: Buffer) => boolean): Buffer {
  for (;;) {
    const signature = signInput(key, input)
    if (isSo(signature)) return signature
  }
}

/** A key with a coordinate that begins with a zero byte. */
function keyWithShortPoint(alg: string): SigningKey {
  for (;;) {
    const key = makeKey(alg, alg)
    if (String(key.jwk['x']).startsWith('AA') || String(key.jwk['y']).startsWith('AA')) return key
  }
}
