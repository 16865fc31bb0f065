import { joinSegments, normaliseTriplets } from './path.js'

/** What stands for a whole-segment variable inside a canonical endpoint. */
export const ANY_SEGMENT = '{}'

/**
 * The segments of an endpoint template (`/users/{id}`), normalised as request paths are, each
 * variable as `{}`. `undefined` when the template is none: no leading slash, longer than 4,096
 * characters, or a variable that is only part of a segment.
 */
export function endpointSegments(
  endpoint: string,
  mergeSlashes = true,
): readonly string[] | undefined {
  const most = 4096
  if (!endpoint.startsWith('/') || endpoint.length > most) return undefined
  const segments: string[] = []
  for (const segment of endpoint.split('/')) {
    if (/^\{[^{}/]+\}$/.test(segment)) segments.push(ANY_SEGMENT)
    else if (/[{}?#]/.test(segment)) return undefined
    else {
      // Templates are written by people, in Unicode; request lines carry it as UTF-8.
      const encoded = segment.toWellFormed().replace(/[^ -~]+/g, encodeURIComponent)
      segments.push(normaliseTriplets(encoded))
    }
  }
  return joinSegments(segments, mergeSlashes).split('/').slice(1)
}
