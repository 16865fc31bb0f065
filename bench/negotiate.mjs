import hapi from '@hapi/accept'
import accepts from 'accepts'
import { accepts as honoAccepts } from 'hono/accepts'
import Negotiator from 'negotiator'
import { negotiate, render } from 'portcullis/problem'
import { measure } from './measure/measure.mjs'

const BROWSER =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8'
const OFFERED = ['text/html', 'application/json', 'text/markdown', 'application/problem+json']
// One text in many strings: a server reads the header anew for every request.
const SEEN = Array.from({ length: 65_536 }, () => Buffer.from(BROWSER).toString('latin1'))
// More headers than the cache of negotiate holds, so that a header met again was forgotten.
const UNSEEN = Array.from(
  { length: 997 },
  (_, i) => `${BROWSER.slice(0, -3)}0.${String(i + 1).padStart(3, '0')}`,
)

/** What each peer is asked to do with one header. */
const PEERS = [
  ['negotiator', (accept) => new Negotiator({ headers: { accept } }).mediaType(OFFERED)],
  ['accepts', (accept) => accepts({ headers: { accept } }).type(OFFERED)],
  ['@hapi/accept', (accept) => hapi.mediaType(accept, OFFERED)],
  [
    'hono/accepts',
    (accept) =>
      honoAccepts(
        { req: { header: () => accept } },
        { header: 'Accept', supports: OFFERED, default: 'text/html' },
      ),
  ],
]

/** A browser's header must give HTML; a peer that says otherwise is not measured for nothing. */
function verify(type) {
  if (type !== 'text/html') throw new Error(`a browser was given ${type}`)
}

function verifyError(type, status, body) {
  if (status !== 403 || !body.includes('1020')) throw new Error(`no error 1020 as ${type}`)
}

function candidates(headerOf) {
  return [['portcullis', negotiate], ...PEERS].map(([name, choose]) => ({
    name,
    kind: name === 'portcullis' ? 'ours' : 'peer',
    run: (i) => choose(headerOf(i)),
    verify,
  }))
}

/** Negotiation of a browser's Accept header, met before and not, and rendering of one error. */
export async function run() {
  const seen = await measure(
    'a header seen before',
    candidates((i) => SEEN[i % SEEN.length]),
  )
  const unseen = await measure(
    'a header not seen before',
    candidates((i) => UNSEEN[i % UNSEEN.length]),
  )
  const context = { zone: 'shop.example.com', now: 1_777_022_560_000 }
  const forms = ['application/json', 'text/markdown', 'text/html']
  const rendering = await measure(
    'rendering error 1020',
    forms.map((type) => ({
      name: type,
      run: () => render(1020, type, context),
      verify: ({ status, body }) => verifyError(type, status, body),
    })),
  )
  return { rows: [...seen, ...unseen, ...rendering] }
}
