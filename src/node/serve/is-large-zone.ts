import type { ZonePolicy } from '../../management/index.js'

/** Operations and rules: fewer are in force within some milliseconds. */
const LARGE = 1000

/** Whether a zone is among those in force and takes its time to be changed. */
export function isLargeZone(running: readonly ZonePolicy[], id: string): boolean {
  const zone = running.find((policy) => policy.zone.id === id)?.zone
  return (zone?.operations?.length ?? 0) + (zone?.rules?.length ?? 0) >= LARGE
}
