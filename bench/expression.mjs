import jsep from 'jsep'
import { bytesOf, compile, requestScheme } from 'portcullis/expression'
import { measure } from './measure/measure.mjs'

const scheme = { ...requestScheme, configurations: ['a', 'b'] }
const RULE =
  'is_jwt_valid("a") and http.request.method in {"GET" "HEAD"} and (http.host eq "api.example.com" or starts_with(http.request.uri.path, "/public/"))'
const VALUES = new Map([
  ['http.request.method', 'GET'],
  ['http.host', 'api.example.com'],
  ['http.request.uri.path', '/orders/17'],
  [
    'http.user_agent',
    bytesOf(`Mozilla/5.0 (X11; Linux x86_64) ${'AppleWebKit/537.36 '.repeat(5)}`),
  ],
])
const facts = { field: (name) => VALUES.get(name), token: () => 'valid' }

/** The rule as somebody would write it by hand: the floor. */
function byHand({ field, token }) {
  const method = field('http.request.method')
  return (
    token('a') === 'valid' &&
    (method === 'GET' || method === 'HEAD') &&
    (field('http.host') === 'api.example.com' ||
      field('http.request.uri.path').startsWith('/public/'))
  )
}

const holds = (result) => {
  if (result !== true) throw new Error('the rule should hold')
}

async function compiling() {
  // Each text is new, so that nothing can remember the last one.
  const text = (i) => `${RULE} or http.host eq "h${i}.example.com"`
  const jsepText = (i) => `a(b) && c == d && (e == f || g(h, i)) || j == k${i}`
  return measure('compile', [
    {
      name: 'portcullis: parse, check, compile',
      kind: 'ours',
      run: (i) => compile(text(i), scheme),
    },
    { name: 'jsep: parse a shape like it, unchecked', kind: 'peer', run: (i) => jsep(jsepText(i)) },
  ])
}

async function evaluating() {
  const predicate = compile(RULE, scheme)
  return measure('evaluate: four terms', [
    { name: 'written by hand', kind: 'floor', run: () => byHand(facts), verify: holds },
    { name: 'portcullis', kind: 'ours', run: () => predicate.test(facts), verify: holds },
  ])
}

async function matching() {
  const pattern = String.raw`(?i)windows|linux.*webkit/\d+`
  const predicate = compile(`http.user_agent matches r"${pattern}"`, scheme)
  const native = /windows|linux.*webkit\/\d+/is
  const agent = VALUES.get('http.user_agent')
  return measure('matches: a user agent', [
    { name: 'RegExp (backtracks)', kind: 'peer', run: () => native.test(agent), verify: holds },
    { name: 'portcullis (linear)', kind: 'ours', run: () => predicate.test(facts), verify: holds },
  ])
}

/** The Rules language: compile, evaluate, match. */
export async function run() {
  return { rows: [...(await compiling()), ...(await evaluating()), ...(await matching())] }
}
