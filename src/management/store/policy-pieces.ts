import { inPieces, type Transaction } from './database.js'
import { digest } from './digest.js'

/** How many rows of a long part make a piece, on average. */
const ROWS = new Map([
  ['operations', 128],
  ['rules', 32],
])
/** A piece has at most so many times as many. */
const LONGEST = 4

/** A part of a policy as it is stored: under each hash a text. The part's own is the last. */
export interface StoredPart {
  readonly hash: string
  readonly texts: ReadonlyMap<string, string>
}

/** A long part in the store: what it is made of, in order. */
interface Pieces {
  readonly pieces: readonly string[]
}

/**
 * Cuts a part into pieces under their hashes, so that versions share what did not change. Where a
 * piece ends is told by a row's id, not by its place: rows that come, go or move touch no other piece.
 */
export async function storedPart(name: string, part: unknown): Promise<StoredPart> {
  const texts = new Map<string, string>()
  async function keep(value: unknown): Promise<string> {
    const text = JSON.stringify(value)
    const hash = await digest(text)
    texts.set(hash, text)
    return hash
  }
  const average = ROWS.get(name)
  if (average === undefined) return { hash: await keep(part), texts }
  const pieces: string[] = []
  for (const piece of cut(part as readonly Identified[], average)) pieces.push(await keep(piece))
  return { hash: await keep({ pieces } satisfies Pieces), texts }
}

interface Identified {
  readonly id?: string
  readonly operation_id?: string
}

function* cut<Row extends Identified>(
  rows: readonly Row[],
  average: number,
): Generator<readonly Row[]> {
  let from = 0
  for (const [at, { id, operation_id = id }] of rows.entries()) {
    const ends = Number.parseInt(operation_id?.slice(-3) ?? '', 16) % average === 0
    if (!ends && at + 1 - from < LONGEST * average && at + 1 < rows.length) continue
    yield rows.slice(from, at + 1)
    from = at + 1
  }
}

/** The hashes that a stored part stands on, its own included. */
export async function hashesOf(
  tx: Transaction,
  zoneId: string,
  hash: string,
): Promise<readonly string[]> {
  const bodies = await bodiesOf(tx, zoneId, [hash])
  return [hash, ...piecesOf(bodies.get(hash))]
}

/** Parts by their hashes, put together and parsed. */
export async function readParts(
  tx: Transaction,
  zoneId: string,
  hashes: readonly string[],
): Promise<(hash: string) => unknown> {
  const parts = await bodiesOf(tx, zoneId, hashes)
  const pieces = await bodiesOf(tx, zoneId, [...parts.values()].flatMap(piecesOf))
  return (hash) => {
    const body = parts.get(hash)
    return isCut(body) ? body.pieces.flatMap((piece) => pieces.get(piece)) : body
  }
}

async function bodiesOf(
  tx: Transaction,
  zoneId: string,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, unknown>> {
  const bodies = new Map<string, unknown>()
  for (const piece of inPieces(hashes)) {
    const rows = await tx
      .selectFrom('policy_parts')
      .select(['hash', 'body'])
      .where('zone_id', '=', zoneId)
      .where('hash', 'in', piece)
      .execute()
    for (const { hash, body } of rows) bodies.set(hash, JSON.parse(body))
  }
  return bodies
}

/** Histories begin with parts that were stored in one. */
const isCut = (body: unknown): body is Pieces =>
  typeof body === 'object' && body !== null && 'pieces' in body

const piecesOf = (body: unknown): readonly string[] => (isCut(body) ? body.pieces : [])
