import { headerEdits, type Decision } from '../gate/index.js'

/**
 * The request as it should go on: at the normalised URL that was judged, with claim headers set
 * and tokens stripped. The request itself where nothing changes.
 */
export function editedRequest(request: Request, decision: Decision): Request {
  const { target } = decision
  const edits = headerEdits(decision)
  const url = new URL(request.url)
  const moved = target !== url.pathname + url.search
  if (!moved && edits === null) return request
  // Put together as text: resolved against a base, `//host/path` would be another host.
  const edited = new Request(moved ? url.origin + target : request.url, request)
  for (const name of edits?.remove ?? []) edited.headers.delete(name)
  for (const [name, value] of edits?.set ?? []) edited.headers.set(name, value)
  if (edits?.cookie === null) edited.headers.delete('cookie')
  else if (edits?.cookie !== undefined) edited.headers.set('cookie', edits.cookie)
  return edited
}
