import type { GateRequest } from '../gate/index.js'

/** All `Accept` lines of a request as one value. */
export function acceptOf(request: GateRequest): string | undefined {
  let accept: string | undefined
  for (const [name, value] of request.headers()) {
    if (name.length !== 6 || name.toLowerCase() !== 'accept') continue
    accept = accept === undefined ? value : `${accept}, ${value}`
  }
  return accept
}
