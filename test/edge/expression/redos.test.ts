import { describe, expect, test } from 'vitest'
import { compileRegex } from './compile-regex.js'

/** Bytes of hostile text, and how long one search of it may take. */
const SIZE = 100_000
const MILLISECONDS = 50

/** `pump` over and over, then a tail that keeps a backtracking engine from an early match. */
const pumped = (pump: string, tail: string, head = ''): string =>
  head + pump.repeat(Math.ceil(SIZE / pump.length)) + tail

/**
 * Published patterns that make backtracking engines exponential or of a high power, adapted where
 * they name characters that are no bytes.
 */
const PATTERNS: readonly (readonly [string, string, string])[] = [
  // OWASP, "Regular expression Denial of Service".
  ['nested plus', '(a+)+$', pumped('a', '!')],
  ['starred class', '([a-zA-Z]+)*$', pumped('a', '!')],
  ['overlapping choice', '(a|aa)+$', pumped('a', '!')],
  ['optional choice', '(a|a?)+$', pumped('a', '!')],
  ['many greedy runs', '(.*a){20}$', pumped('a', '!')],
  ['OWASP person name', "^[a-zA-Z]+(([\\',\\.\\- ][a-zA-Z ])?[a-zA-Z]*)*$", pumped('a', '!')],
  ['OWASP Java class name', '^(([a-z])+.)+[A-Z]([a-z])+$', pumped('a', '!')],
  [
    'OWASP e-mail',
    '^([0-9a-zA-Z]([-.\\w]*[0-9a-zA-Z])*@(([0-9a-zA-Z])+([-\\w]*[0-9a-zA-Z])*\\.)+[a-zA-Z]{2,9})$',
    pumped('a', '!'),
  ],
  // Textbook and vendor lists.
  ['nested star', '^(a*)*$', pumped('a', 'b')],
  ['nested digits', '^(\\d+)+$', pumped('1', 'x')],
  ['word or space', '^(\\w+\\s?)*$', pumped('a', '!')],
  ['word list', '(\\w+,?)+;', pumped('a', '')],
  ['two any-runs', '.*.*=.*', pumped('x', '')],
  [
    'Cloudflare 2019',
    '(?:(?:"|\'|\\]|\\}|\\\\|\\d|(?:nan|infinity|true|false|null|undefined|symbol|math)|\\`|-|\\+)+[)]*;?((?:\\s|-|~|!|\\{\\}|\\|\\||\\+)*.*(?:.*=.*)))',
    pumped('x', '', 'x='),
  ],
  ['Stack Overflow 2016', '^[\\s\\x0b]+|[\\s\\x0b]+$', pumped(' ', 'x', 'x')],
  ['HTML tag', '<(\\w+)(\\s+\\w+(="[^"]*")?)*\\s*>', pumped(' a', '!', '<a')],
  ['HTML comment', '<!--(.*-)*-->', pumped('-', '!', '<!--')],
  ['quoted text', '"(\\\\.|[^"])*"$', pumped('\\\\', '', '"')],
  ['IPv4', '^(([0-9]{1,3})\\.?)+$', pumped('1', 'x')],
  ['IPv6', '^(([0-9a-fA-F]{1,4}:?)+)+$', pumped('a', 'x')],
  [
    'URL',
    '^(https?://)?([\\da-z.-]+)\\.([a-z.]{2,6})([/\\w .-]*)*/?$',
    pumped('a', '!', 'http://a.bc/'),
  ],
  ['decimal', '^\\d*[.,]?\\d*$|^(\\d+\\.?\\d*)+$', pumped('1', 'x')],
  // Advisories, by the package they are about.
  [
    'moment, CVE-2017-18214',
    '[0-9]*[a-z\\x80-\\xff]+|[\\x80-\\xff/]+(\\s*?[\\x80-\\xff]+){1,2}',
    pumped('1', '!'),
  ],
  [
    'ms, CVE-2015-8315',
    '^((?:\\d+)?\\.?\\d+) *(ms|seconds?|s|minutes?|m|hours?|h)?$',
    pumped('5', 'x'),
  ],
  [
    'ansi-regex, CVE-2021-3807',
    '[\\x1b][\\[\\]()#;?]*(?:(?:(?:[a-zA-Z\\d]*(?:;[-a-zA-Z\\d/#&.:=?%@~_]*)*)?\\x07))',
    pumped(';', '', '\x1b['),
  ],
  ['trim-newlines, CVE-2021-33623', '[\\r\\n]+$', pumped('\n', 'x')],
  ['minimatch, CVE-2022-3517', '\\{.*\\}', pumped('{', '')],
  ['glob-parent, CVE-2020-28469', '[\\{\\[].*[\\/]*.*[\\}\\]]$', pumped('{', '/')],
  [
    'postcss, CVE-2021-23368',
    '/\\*\\s*# sourceMappingURL=(.*)\\s*\\*/',
    pumped('/*# sourceMappingURL= ', ''),
  ],
  ['ssri, CVE-2021-27290', '^([^-]+)-([^?]+)([?\\S*]*)$', pumped('-?', ' ', 'x')],
  ['semver, CVE-2022-25883', '(\\s*)((?:<|>)?=?)\\s*([v=\\s]*\\d+)', pumped(' ', 'x')],
  [
    'is-svg, CVE-2021-28092',
    '(?i)^\\s*(?:<\\?xml[^>]*>\\s*)?(?:<!doctype svg[^>]*\\s*(?:\\[?(?:\\s*<![^>]*>\\s*)*\\]?)*[^>]*>\\s*)?(?:<svg[^>]*>(?s:.)*</svg>|<svg[^/>]*/\\s*>)\\s*$',
    pumped('<!>', '', '<!doctype svg'),
  ],
]

/** The best of a few runs, which noise on a shared machine cannot shorten. */
function timed(run: () => unknown): number {
  let best = Infinity
  for (let round = 0; round < 3; round++) {
    const start = performance.now()
    run()
    best = Math.min(best, performance.now() - start)
  }
  return best
}

describe('hostile text', () => {
  test.each(PATTERNS)('%s is searched in linear time', (_, pattern, subject) => {
    expect(subject.length).toBeGreaterThanOrEqual(SIZE)
    expect(timed(() => compileRegex(pattern)(subject))).toBeLessThan(MILLISECONDS)
  })

  test('there are at least twenty published patterns', () => {
    expect(PATTERNS.length).toBeGreaterThanOrEqual(20)
  })

  test('the time stays linear when every byte makes a new state', () => {
    const search = compileRegex('(a|b)*a(a|b){12}c')
    const next = generator(7)
    const subject = Array.from({ length: 200_000 }, () => (next() < 0.5 ? 'a' : 'b')).join('')
    const half = timed(() => search(subject.slice(0, 100_000)))
    const whole = timed(() => search(subject))
    expect(whole).toBeLessThan(8 * half + 20)
    expect(whole).toBeLessThan(2_000)
  })

  test('a large expression over random text keeps to its memory', () => {
    const search = compileRegex('(a|b)*a(a|b){500}c')
    const next = generator(11)
    const subject = Array.from({ length: 20_000 }, () => (next() < 0.5 ? 'a' : 'b')).join('')
    const before = process.memoryUsage().heapUsed
    expect(search(subject)).toBe(false)
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(64 * 2 ** 20)
  })
})

/** A small repeatable source of numbers below one. */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
