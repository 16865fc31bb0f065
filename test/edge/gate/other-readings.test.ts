import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Zone } from '../../../src/edge/index.js'
import { sentPath } from '../selector/arbitraries.js'
import { ask, bearer, gateOf, RULE, VALID, zone, type Asked } from './zone-fixture.js'

const host = 'api.example.com'
const at = (operation_id: string, endpoint: string) => ({
  operation_id,
  method: 'GET',
  host,
  endpoint,
})

/** Users are guarded; public files are listed, and no rule covers them. */
const guarded = (parts: Partial<Zone> = {}): Zone =>
  zone({
    operations: [at('op', '/users/{id}'), at('files', '/public/{file}')],
    rules: [{ ...RULE, selector: { exclude: [{ operation_ids: ['files'] }] } }],
    ...parts,
  })

const REFUSED = { action: 'block', reason: 'bad_request', status: 400 }

const decide = (policy: Zone, asked: Asked) => gateOf(policy).decide(ask(asked))

describe('a path that origins read in several ways', () => {
  test.each([
    '/users%2F42',
    '/%2Fusers/42',
    '/public/..%2Fusers%2F42',
    '/public/%2e%2e%2fusers/42',
    '/public%2F..%2Fusers/42',
    '/public/..;/users/42',
    '/public/..;a=b/users/42',
    '/public/..%3B/users/42',
    '/public/..;a%2Fb/users/42',
    '/public;x/..%2Fusers/42',
    '/;/users/42',
    '/users;x/42',
    '/users\\42',
    '/public/..\\users\\42',
    '/public/..%5Cusers/42',
    '/%252e%252e/users/42',
    '/users/42%3F/x',
    '/users/42%23/x',
  ])('%s is refused, where one of them is guarded', (target) => {
    expect(decide(guarded(), { target })).toMatchObject(REFUSED)
    expect(decide(guarded(), { target: `${target}?a=b` })).toMatchObject(REFUSED)
    expect(decide(guarded(), { target, lines: [bearer(VALID)] })).toMatchObject({ action: 'block' })
  })

  test.each([
    ['/public/a%2Fb', 'files'],
    ['/public/a;v=1', 'files'],
    ['/public/50%25', 'files'],
    ['/public/..%2F..%2Fetc', 'files'],
    ['/other%2Fusers/42', null],
    ['/caf%C3%A9', null],
  ])('%s passes as what it is, where no other reading is guarded', (target, operation) => {
    expect(decide(guarded(), { target })).toMatchObject({ action: 'pass', operation })
  })

  test.each(['/users/a%2Fb', '/users/42;v=1', '/users/..;x', '/users/a%5Cb'])(
    '%s is judged as what it is, where the same rule guards the other',
    (target) => {
      const both = guarded({ operations: [at('op', '/users/{id}'), at('two', '/users/{id}/{x}')] })
      expect(decide(both, { target })).toMatchObject({
        action: 'block',
        operation: 'op',
        status: 401,
      })
      expect(decide(both, { target, lines: [bearer(VALID)] })).toMatchObject({ action: 'pass' })
    },
  )

  describe('where what is not listed is covered', () => {
    const covering = guarded({ settings: { unlisted_operations: 'cover' } })

    test.each([
      '/public/..%2Fadmin',
      '/public/..%5Cadmin',
      '/public/..;',
      '/public/..%2f..%2fadmin%2fusers',
      '/public/a%2Fb',
    ])('%s is refused, as another reading of it is covered', (target) => {
      expect(decide(covering, { target })).toMatchObject(REFUSED)
    })

    test.each(['/public/a;v=1', '/public/50%25', '/public/caf%C3%A9', '/public/x%20y'])(
      '%s passes, as each reading of it is the same operation',
      (target) => {
        expect(decide(covering, { target })).toMatchObject({ action: 'pass', operation: 'files' })
      },
    )

    test.each(['/admin', '/admin%2Fusers', '/ad;x/min'])(
      '%s is judged, as the same rule covers each reading of it',
      (target) => {
        expect(decide(covering, { target })).toMatchObject({ status: 401 })
        expect(decide(covering, { target, lines: [bearer(VALID)] })).toMatchObject({
          action: 'pass',
        })
      },
    )
  })

  test.each(['/a;x//b', '/public/..%2Fa%2F%2Fb', '/public/..%2Fa%2Fb'])(
    '%s is refused where slashes are not merged, as some might merge them and others not',
    (target) => {
      const operations = [at('op', '/a//b'), at('two', '/a/b'), at('files', '/public/{file}')]
      const apart = guarded({ operations, settings: { merge_slashes: false } })
      expect(decide(apart, { target })).toMatchObject({ action: 'block', reason: 'bad_request' })
      expect(decide(apart, { target: '/a//b' })).toMatchObject({ operation: 'op', status: 401 })
    },
  )

  test('a rule that only logs refuses none of them', () => {
    const logging = guarded({ rules: [{ ...RULE, action: 'log' }] })
    expect(decide(logging, { target: '/users%2F42' })).toMatchObject({ action: 'pass' })
  })

  test('whatever passes unjudged is nothing guarded to an origin that decodes and then resolves', () => {
    const judged = gateOf(guarded())
    const piece = fc.constantFrom('users', '42', 'public', '/', '/', '%2F', '..', ';', '\\', '%5c')
    const path = fc.oneof(
      sentPath,
      fc.array(piece, { maxLength: 10 }).map((pieces) => `/${pieces.join('')}`),
    )
    fc.assert(
      fc.property(path, (target) => {
        const decision = judged.decide(ask({ target }))
        fc.pre(decision.action === 'pass')
        for (const read of readings(decision.target)) {
          expect(read).not.toMatch(/^\/users\/[^/]+$/)
        }
      }),
      { numRuns: 3000 },
    )
  })
})

/** How servers are known to read a path, written here without the means of the gate. */
function readings(path: string): readonly string[] {
  const bytes = path.replace(/%([0-9A-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(parseInt(hex, 16)),
  )
  return [path, bytes].flatMap((sent) => [
    resolved(sent),
    resolved(sent.replaceAll('\\', '/')),
    resolved(sent.replace(/;[^/]*/g, '')),
  ])
}

function resolved(path: string): string {
  const kept: string[] = []
  for (const segment of path.split('/')) {
    if (segment === '..') kept.pop()
    else if (segment !== '' && segment !== '.') kept.push(segment)
  }
  // A dot segment at the end leaves a slash (RFC 3986 5.2.4), which is another path here.
  return `/${kept.join('/')}${/\/\.{0,2}$/.test(path) ? '/' : ''}`
}
