import { latin1Text } from '../bytes/index.js'
import { headerName } from './header-name.js'
import { listedNames } from './hop-by-hop.js'

/** A response head that cannot be passed on as it is. */
export class UnusableResponse extends Error {
  override readonly name = 'UnusableResponse'
  readonly code = 'UNUSABLE_RESPONSE'
}

/** What a head said of the connection that counts behind its body as well. */
export interface Listing {
  /** The names that `Connection` listed, lower case. */
  listed?: ReadonlySet<string> | undefined
}

// Space behind a value is no part of it (RFC 9110 section 5.5), but undici leaves it there. Not so a
// tab: its parser takes that for another coding and would give the frames of chunks for the body.
const CHUNKED = /^chunked *$/i

const MAX_TEXTS = 128
/** Longer ones are seldom the same. */
const MAX_LENGTH = 256

/** What stood in the heads before. */
const before: string[] = []

/** The text at a place of a head: most often it is the one that stood there before, and need not be made. */
function textAt(place: number, raw: string | Buffer | undefined): string {
  const text = latin1(raw, before[place])
  if (place < MAX_TEXTS && text.length <= MAX_LENGTH) before[place] = text
  return text
}

/**
 * The header lines of a response for the client, names and values in turn: as upstream sent them,
 * in order, case and number, without those of the connection.
 *
 * @param raw names and values in turn
 * @param listing where to leave what trailers need
 * @throws UnusableResponse when the body has a transfer coding besides chunked, which would be
 *   lost together with the header that names it
 */
export function responseLines(raw: readonly (string | Buffer)[], listing?: Listing): string[] {
  const out: string[] = []
  let listed: ReadonlySet<string> | undefined
  for (let at = 0; at < raw.length; at += 2) {
    const sent = textAt(at, raw[at])
    const value = textAt(at + 1, raw[at + 1])
    const { name, isHopByHop } = headerName(sent)
    if (!isHopByHop) {
      out.push(sent, value)
    } else if (name === 'connection') {
      const names = listedNames(value)
      if (names.size > 0) listed = listed ? new Set([...listed, ...names]) : names
    } else if (name === 'transfer-encoding' && value !== 'chunked' && !CHUNKED.test(value)) {
      throw new UnusableResponse(`Transfer coding ${JSON.stringify(value)} is not supported`)
    }
  }
  if (listed === undefined) return out
  if (listing) listing.listed = listed
  return without(out, listed)
}

/** The trailers of a response for the client: as upstream sent them, without those of the connection. */
export function trailerLines(
  raw: readonly (string | Buffer)[],
  { listed }: Listing,
): [name: string, value: string][] {
  const out: [string, string][] = []
  for (let at = 0; at < raw.length; at += 2) {
    const { sent, name, isHopByHop } = headerName(latin1(raw[at]))
    if (!isHopByHop && !listed?.has(name)) out.push([sent, latin1(raw[at + 1])])
  }
  return out
}

/** Bytes of a head as text, one character each. */
export const latin1 = (text: string | Buffer | undefined, likely?: string): string =>
  typeof text === 'object' ? latin1Text(text, likely) : (text ?? '')

function without(lines: readonly string[], names: ReadonlySet<string>): string[] {
  const out: string[] = []
  for (let at = 0; at < lines.length; at += 2) {
    const name = lines[at] ?? ''
    if (!names.has(name.toLowerCase())) out.push(name, lines[at + 1] ?? '')
  }
  return out
}
