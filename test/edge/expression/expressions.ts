import fc from 'fast-check'

const text = fc
  .string({ unit: fc.constantFrom('a', 'B', 'é', '*', '"', '\\', '\n', ' '), maxLength: 5 })
  .map((value) => `"${value.replace(/["\\]/g, String.raw`\$&`)}"`)
const raw = fc.string({ unit: fc.constantFrom('a', 'B', '"', '\\'), maxLength: 4 })
const string = fc.oneof(
  text,
  raw.map((value) => `r##"${value}"##`),
  fc.constant('61:62'),
)
const int = fc.oneof(
  fc.integer({ min: -5, max: 12 }).map(String),
  fc.constantFrom('0x1f', '010', '9223372036854775807', '-9223372036854775808'),
)
const ip = fc.constantFrom('10.1.2.3', '0.0.0.0', '::1', '2001:db8::', '255.255.255.255')
const order = fc.constantFrom('==', 'eq', '!=', 'ne', '<', 'lt', '<=', 'le', '>', 'gt', '>=', 'ge')
const space = fc.constantFrom(' ', '  ', '\n', '\t')

const set = (item: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.array(item, { maxLength: 3 }).map((items) => `in {${items.join(' ')}}`)

const ofBytes = fc.oneof(
  fc.tuple(order, string).map(([op, right]) => `${op} ${right}`),
  set(string),
  string.map((right) => `contains ${right}`),
  fc.constantFrom('matches "^(a|B)+$"', '~ r"[^a]"', 'matches "(?i)b\\b"'),
  fc.constantFrom('wildcard "a*"', 'strict wildcard "*B*"', 'strict  wildcard r"\\*"'),
  fc.constant('in $names'),
)
const ofInt = fc.oneof(
  fc.tuple(order, int).map(([op, right]) => `${op} ${right}`),
  fc.tuple(fc.constantFrom('&', 'bitwise_and'), int).map(([op, right]) => `${op} ${right}`),
  set(fc.oneof(int, fc.constant('-3..7'))),
  fc.constant('in $even'),
)
const ofIp = fc.oneof(
  fc.tuple(order, ip).map(([op, right]) => `${op} ${right}`),
  set(fc.oneof(ip, fc.constantFrom('10.0.0.0/8', '::/10', '1.0.0.0..9.0.0.0'))),
)

const bytesPlace = fc.constantFrom(
  's',
  'a[0]',
  'a[9]',
  'm["k"][1]',
  'm["no"][0]',
  'mb["k"]',
  'lower(s)',
  'upper(mb["no"])',
  'concat(mb["no"], s, "x")',
  'substring(s, 1, -1)',
  'url_decode(s, "r")',
  'to_string(ip)',
  'join(a, ",")',
  'split(s, "a", 3)[1]',
  'lookup_json_string(s, "a", 0)',
  'decode_base64(s)',
  'sha256(s)',
)
const intPlace = fc.constantFrom(
  'n',
  'ns[1]',
  'mn["no"]',
  'len(s)',
  'len(a)',
  'lookup_json_integer(s, 0)',
)
const bytesEach = fc.constantFrom(
  'a[*]',
  'm["k"][*]',
  'm["no"][*]',
  'm[*][*]',
  'm[*][0]',
  'lower(a[*])[*]',
)

/** A comparison or another Bool without operators in between. */
const simple = fc.oneof(
  fc.tuple(bytesPlace, ofBytes).map(([left, rest]) => `${left} ${rest}`),
  fc.tuple(intPlace, ofInt).map(([left, rest]) => `${left} ${rest}`),
  ofIp.map((rest) => `ip ${rest}`),
  fc.constantFrom('t', 'f', 'true', 'false', 'flags["no"]', 'bools[0]', 'nothing'),
  fc.constantFrom('has_key(m, "k")', 'has_value(ns, 2)', 'starts_with(s, "a")'),
  fc.constantFrom('is_jwt_valid("good")', 'is_jwt_present ("none")', 'is_jwt_valid("bad")'),
)

const { vector, bool } = fc.letrec<{ vector: string; bool: string }>((tie) => ({
  vector: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.tuple(bytesEach, ofBytes).map(([left, rest]) => `${left} ${rest}`),
    ofInt.map((rest) => `ns[*] ${rest}`),
    fc.constantFrom('bools', 'lists["no"]', 'lists["k"]', 'flags'),
    tie('vector').map((inner) => `not ${inner}`),
    fc
      .tuple(tie('vector'), fc.constantFrom('and', '||', 'xor'), tie('vector'))
      .map(([left, op, right]) => `(${left} ${op} ${right})`),
  ),
  bool: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    simple,
    tie('bool').map((inner) => `(${inner})`),
    tie('bool').map((inner) => `not (${inner})`),
    fc
      .tuple(fc.constantFrom('any', 'all'), tie('vector'))
      .map(([quantifier, inner]) => `${quantifier}(${inner})`),
    fc
      .tuple(
        tie('bool'),
        space,
        fc.constantFrom('and', '&&', 'or', '||', 'xor', '^^'),
        space,
        tie('bool'),
      )
      .map((parts) => parts.join('')),
  ),
}))

/** Expressions that are right over the scheme of world.ts, and their parts. */
export const expressions = { simple, bool, vector, string }

const bytes = fc.oneof(
  fc.string({
    unit: fc.constantFrom('a', 'B', 'é', '*', '"', ',', '%', '2', '[', ']'),
    maxLength: 6,
  }),
  fc.constantFrom('{"a":["x"]}', '[7]', 'YQ=='),
)
const optional = <Part>(arbitrary: fc.Arbitrary<Part>): fc.Arbitrary<Part | undefined> =>
  fc.option(arbitrary, { nil: undefined, freq: 5 })

/** Values for that scheme, of which any may be missing. */
export const records: fc.Arbitrary<Record<string, unknown>> = fc.record({
  t: optional(fc.boolean()),
  f: optional(fc.boolean()),
  nothing: optional(fc.boolean()),
  n: optional(fc.oneof(fc.integer({ min: -6, max: 13 }), fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n))),
  s: optional(bytes),
  ip: optional(fc.oneof(fc.ipV4(), fc.ipV6(), ip)),
  a: optional(fc.array(bytes, { maxLength: 3 })),
  b: optional(fc.array(bytes, { maxLength: 3 })),
  ns: optional(fc.array(fc.integer({ min: -3, max: 12 }), { maxLength: 3 })),
  bools: optional(fc.array(fc.boolean(), { maxLength: 3 })),
  m: optional(fc.dictionary(fc.constantFrom('k', 'l'), fc.array(bytes, { maxLength: 3 }))),
  mb: optional(fc.dictionary(fc.constantFrom('k', 'l'), bytes)),
  mn: optional(fc.dictionary(fc.constantFrom('k', 'l'), fc.integer())),
  flags: optional(fc.dictionary(fc.constantFrom('on', 'off'), fc.boolean())),
  lists: optional(fc.dictionary(fc.constantFrom('k'), fc.array(fc.boolean(), { maxLength: 3 }))),
})
