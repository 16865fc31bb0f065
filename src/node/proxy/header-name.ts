import { foldedName } from '../../edge/embed/index.js'
import { isProxyClaim, WRITTEN } from './forwarded.js'
import { isHopByHop } from './hop-by-hop.js'

/** What a proxy asks of the name of a header line. */
export interface HeaderName {
  /** As it was sent. To send on this text, and not that of each request, spares its hash. */
  readonly sent: string
  /** In lower case. */
  readonly name: string
  /** With hyphens for all but letters and digits, as CGI-like servers read them as one. */
  readonly folded: string
  /** It is of the connection, not of the message. */
  readonly isHopByHop: boolean
  /** No line of a client with it goes upstream: of its connection, said anew, or answered here. */
  readonly isDropped: boolean
  /** By it only a trusted proxy may speak of its client. */
  readonly isClaim: boolean
}

const MAX_NAMES = 1024
const MAX_PLACES = 64
/** Longer ones are nobody's habit. */
const MAX_LENGTH = 64

let names = new Map<string, HeaderName>()

/** What stood in the requests before. */
const before: HeaderName[] = []

/** The name at a place of a request's head: most often it is the one that stood there before. */
export function headerNameAt(place: number, sent: string): HeaderName {
  const last = before[place]
  if (last !== undefined && last.sent === sent) return last
  const name = headerName(sent)
  if (place < MAX_PLACES && sent.length <= MAX_LENGTH) before[place] = name
  return name
}

/** Clients write the same few names again and again, and to look one up takes less than to look at it. */
export function headerName(sent: string): HeaderName {
  const known = names.get(sent)
  if (known !== undefined) return known
  const read = readName(sent)
  if (sent.length > MAX_LENGTH) return read
  // Not cleared: V8 chains the tables of one map, and the old ones would hold the new.
  if (names.size === MAX_NAMES) names = new Map()
  names.set(sent, read)
  return read
}

function readName(sent: string): HeaderName {
  const name = sent.toLowerCase()
  const folded = foldedName(sent)
  return {
    sent,
    name,
    folded,
    isHopByHop: isHopByHop(name),
    isDropped: isDropped(name, folded),
    isClaim: isProxyClaim(folded),
  }
}

function isDropped(name: string, folded: string): boolean {
  // Of a length that frames nothing here, a server that folds names would read another body.
  if (folded === 'content-length') return name !== folded
  // `expect` was answered by this server already.
  return isHopByHop(folded) || WRITTEN.has(folded) || folded === 'expect'
}
