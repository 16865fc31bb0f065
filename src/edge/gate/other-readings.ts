import { percentDecode } from '../expression/index.js'
import { normalisePath } from '../selector/index.js'

type Step = (path: string) => string

const withoutParameters: Step = (path) => path.replace(/;[^/]*|[?#].*/g, '')

/** What origins do to a path, or leave out, in this order. */
const STEPS: readonly Step[] = [
  withoutParameters,
  (path) => percentDecode(path),
  (path) => path.replaceAll('\\', '/'),
  withoutParameters,
]

/**
 * What origins make of a normalised path in which `%2F` and `;` are data: some drop parameters
 * (`/..;x/`), some decode once more (`..%2F`), some take backslashes for slashes.
 * Where the zone does not merge slashes, some may do that.
 */
export function otherReadings(path: string, mergeSlashes: boolean): Iterable<string> {
  if (!path.includes(';') && !path.includes('%')) return []
  let readings = [path]
  for (const step of STEPS) readings = [...new Set(readings.flatMap((each) => [each, step(each)]))]
  const merges = [...new Set([true, mergeSlashes])]
  return new Set(readings.flatMap((each) => merges.map((merge) => normalisePath(each, merge))))
}
