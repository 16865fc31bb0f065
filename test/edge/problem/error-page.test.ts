import { describe as suite, expect, test } from 'vitest'
import {
  catalogue,
  errorPage,
  render,
  type ProblemContext,
} from '../../../src/edge/problem/index.js'

const CONTEXT: ProblemContext = { zone: 'a.example', rayId: '9f140b785e57c458', now: 0 }

suite('GET /cdn-cgi/error/<code> (spec 4.4)', () => {
  test.each(['text/html', 'application/json', 'application/problem+json', 'text/markdown', null])(
    'answers every code like the error itself (Accept: %s)',
    (accept) => {
      for (const code of catalogue.keys()) {
        expect(errorPage(`/cdn-cgi/error/${code}`, 'GET', accept, CONTEXT)).toEqual(
          render(code, accept, CONTEXT),
        )
      }
    },
  )

  test('takes nothing of the request at hand for the error shown', () => {
    const context = { ...CONTEXT, status: 401, retryAfter: 9, headers: [['x-a', 'b']] as const }
    expect(errorPage('/cdn-cgi/error/1015?x=1', 'GET', null, context)).toEqual(
      render(1015, null, CONTEXT),
    )
  })

  test('answers HEAD with the same headers and no body', () => {
    const get = errorPage('/cdn-cgi/error/522', 'GET', '*/*', CONTEXT)
    const head = errorPage('/cdn-cgi/error/522', 'HEAD', '*/*', CONTEXT)
    expect(head).toEqual({ ...get, body: '' })
  })

  test.each([
    '9999',
    '999',
    '0500',
    '01020',
    '1020/',
    '1020.0',
    '+500',
    '5e2',
    '',
    '__proto__',
    'constructor',
    '%31020',
    '１０２０',
    '1020\n',
  ])('answers the unknown code %j with a plain 404', (code) => {
    const page = errorPage(`/cdn-cgi/error/${code}`, 'GET', 'application/json', CONTEXT)
    expect(page?.status).toBe(404)
    expect(JSON.parse(page?.body ?? '')).toMatchObject({ type: 'about:blank', title: 'Not Found' })
    expect(page?.problem).not.toHaveProperty('error_code')
  })

  test.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'get'])(
    'answers %s with 405 and Allow',
    (method) => {
      const page = errorPage('/cdn-cgi/error/1020', method, null, CONTEXT)
      expect(page?.status).toBe(405)
      expect(new Map(page?.headers).get('allow')).toBe('GET, HEAD')
    },
  )

  test.each([
    '/',
    '/cdn-cgi/error',
    '/cdn-cgi/errors/1020',
    '/x/cdn-cgi/error/1020',
    '/CDN-CGI/error/1020',
    '',
  ])('leaves the path %j alone', (path) => {
    expect(errorPage(path, 'GET', null, CONTEXT)).toBeUndefined()
  })
})
