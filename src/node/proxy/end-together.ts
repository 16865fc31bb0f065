import type { ServerResponse } from 'node:http'

/** More would wait long for one another where each has a signature to be checked. */
const MOST = 16

let waiting: { readonly response: ServerResponse; readonly body: string | undefined }[] = []

/**
 * Ends a response together with those to requests that arrived with its own: at the end of this turn
 * of the event loop, or when there are 16. A write wakes whoever reads at the other end, who sleeps
 * again while the next signature is checked; after all checks it is woken once.
 */
export function endTogether(response: ServerResponse, body?: string): void {
  const count = waiting.push({ response, body })
  if (count === 1) setImmediate(endAll)
  else if (count === MOST) endAll()
}

function endAll(): void {
  const all = waiting
  waiting = []
  for (const { response, body } of all) response.end(body)
}
