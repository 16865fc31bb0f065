import type { PlainKind } from './describe.js'
import { catalogue } from './catalogue.js'
import type { PlainProblem, ProblemContext } from './problem.js'
import { render, renderPlain, type Rendered } from './render.js'

const PREFIX = '/cdn-cgi/error/'
const CODE = /^[1-9][0-9]{2,3}$/

const NOT_FOUND: PlainKind = {
  status: 404,
  title: 'Not Found',
  detail: 'There is no edge error with this code.',
  advice: '**Fix the request.** Use another code.',
}
const METHOD_NOT_ALLOWED: PlainKind = {
  status: 405,
  title: 'Method Not Allowed',
  detail: 'Edge errors can only be read.',
  advice: '**Fix the request.** Use GET or HEAD.',
}

/** True for a path that `errorPage` answers: every request is asked, so this comes first. */
export const isErrorPage = (path: string): boolean => path.startsWith(PREFIX)

/**
 * Answers `/cdn-cgi/error/<code>` (spec 4.4): the error as a request that met it would see it, with
 * the status of the code. Undefined when the path is another one. The body is empty for HEAD.
 *
 * @param path path of the request, perhaps with a query
 */
export function errorPage(
  path: string,
  method: string,
  accept: string | null | undefined,
  context: ProblemContext,
): Rendered<PlainProblem> | undefined {
  if (!isErrorPage(path)) return undefined
  if (method !== 'GET' && method !== 'HEAD') {
    return renderPlain(METHOD_NOT_ALLOWED, accept, {
      ...context,
      headers: [['allow', 'GET, HEAD']],
    })
  }
  const query = path.indexOf('?')
  const text = path.slice(PREFIX.length, query < 0 ? undefined : query)
  const code = CODE.test(text) ? Number(text) : 0
  // What the caller knows of its own request (a status, a wait) says nothing about the code shown.
  const bare = { ...context, status: undefined, retryAfter: undefined, headers: undefined }
  const page = catalogue.has(code)
    ? render(code, accept, bare)
    : renderPlain(NOT_FOUND, accept, bare)
  return method === 'HEAD' ? { ...page, body: '' } : page
}
