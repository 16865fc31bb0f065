import { later } from '../later.js'
import { createUnknownKeyReports, type UnknownKeyReports } from '../unknown-key-reports.js'
import type { UnknownKeysHearer } from './gates.js'

/**
 * Passes on few reports, whatever it hears: see `createUnknownKeyReports`.
 *
 * @param now milliseconds that only grow
 */
export function seldomUnknownKeys(tell: UnknownKeysHearer, now: () => number): UnknownKeysHearer {
  const zones = new Map<string, UnknownKeyReports>()
  return (zone, unknown) => {
    let reports = zones.get(zone)
    if (reports === undefined) {
      const send = async (report: typeof unknown) => tell(zone, report)
      reports = createUnknownKeyReports({ send, now, later })
      zones.set(zone, reports)
    }
    reports.heard(unknown)
  }
}
