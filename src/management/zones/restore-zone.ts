import type { Change, Row } from '../store/index.js'

/** The part of a policy that is the zone itself. */
interface StoredZone {
  readonly paused: boolean
  readonly upstream: string | null
  readonly settings: object
  readonly lists: object
}

/** Gives a zone the members that an earlier version of its policy has. */
export async function restoreZone(
  { tx, zone, at }: Change & { readonly zone: Row<'zones'> },
  part: unknown,
): Promise<void> {
  const { paused, upstream, settings, lists } = part as StoredZone
  const columns = {
    paused: paused ? 1 : 0,
    upstream,
    settings: JSON.stringify(settings),
    lists: JSON.stringify(lists),
    updated_at: at,
  }
  await tx.updateTable('zones').set(columns).where('id', '=', zone.id).execute()
}
