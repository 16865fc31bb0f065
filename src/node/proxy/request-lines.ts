import { foldedName, type HeaderEdits } from '../../edge/embed/index.js'
import { pushForwarded } from './forwarded.js'
import { listedNames } from './hop-by-hop.js'
import type { Received } from './received.js'

/** What goes into every request on its way upstream. */
export interface Crossing {
  readonly ray: string
  /** This proxy's part of `Via`, by the version of HTTP that the request came with. */
  readonly via: (version: string) => string
  readonly preserveHost: boolean
}

/**
 * The header lines to send upstream, names and values in turn: the client's in their order and
 * case, without those of the connection (judged first, dropped here), without what only this
 * proxy may say, with the edits of the decision. A name with underscores (or dots, or the like) is
 * dropped as well if the name with hyphens is, since CGI-like servers read both as one. Lines of its
 * own have names in lower case: undici would make them that way, for each request, to look at them.
 */
export function requestLines(
  received: Received,
  edits: HeaderEdits | null,
  { ray, via, preserveHost }: Crossing,
): string[] {
  const { names, lines, route } = received
  const connection = received.all('connection')
  const listed = connection === undefined ? undefined : listedNames(connection)
  const edited = edits && namesOf(edits)
  const out: string[] = []
  for (let at = 0; at < names.length; at++) {
    const { sent, name, folded, isDropped, isClaim } = names[at]!
    if (isDropped || (isClaim && !route.trusted)) continue
    if (listed && (listed.has(name) || listed.has(folded))) continue
    if (edited && (edited.has(name) || edited.has(folded))) continue
    if (!preserveHost && name === 'host') continue
    out.push(sent, lines[2 * at + 1] ?? '')
  }
  if (edits) for (const [name, value] of edits.set) out.push(name, value)
  if (edits && typeof edits.cookie === 'string') out.push('Cookie', edits.cookie)
  if (received.header('te') !== undefined && /\btrailers\b/i.test(received.all('te') ?? '')) {
    out.push('TE', 'trailers')
  }
  pushForwarded(out, route)
  out.push('via', via(received.version), 'cf-ray', ray)
  return out
}

function namesOf({ remove, set, cookie }: HeaderEdits): ReadonlySet<string> {
  const names = new Set(remove)
  for (const [name] of set) names.add(foldedName(name))
  if (cookie !== undefined) names.add('cookie')
  return names
}

/** What a proxy of this name writes into `Via`: one text for nearly all requests. */
export function viaOf(pseudonym: string): Crossing['via'] {
  const usual = `1.1 ${pseudonym}`
  return (version) => (version === '1.1' ? usual : `${version} ${pseudonym}`)
}

/**
 * How often a request came through this very proxy before. Each instance has its own pseudonym, so
 * that several gates in a row are no loop.
 */
export function visits(received: Received, pseudonym: string): number {
  const via = received.all('via')
  return via === undefined ? 0 : via.split(',').filter((hop) => isBy(hop, pseudonym)).length
}

const SPACE = /[\t ]/

/** A part of `Via` is a protocol, a name and perhaps a comment (RFC 9110 section 7.6.3). */
function isBy(hop: string, pseudonym: string): boolean {
  const part = hop.trim()
  const rest = part.slice(part.search(SPACE) + 1).trimStart()
  if (!rest.startsWith(pseudonym)) return false
  const next = rest.charAt(pseudonym.length)
  return next === '' || SPACE.test(next)
}
