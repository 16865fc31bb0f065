import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { endpointSegments, normalisePath, Router } from '../../../src/edge/selector/index.js'
import { normalPath, otherForm, sentPath } from './arbitraries.js'

describe('a path', () => {
  test.each([
    ['/users/42', '/users/42'],
    ['/', '/'],
    ['/users/', '/users/'],
    ['/users/./42', '/users/42'],
    ['/users/../admin', '/admin'],
    ['/users/..', '/'],
    ['/users/.', '/users/'],
    ['/../../etc/passwd', '/etc/passwd'],
    ['/%2e%2e/admin', '/admin'],
    ['/a/%2E%2e/admin', '/admin'],
    ['/a/.%2e/admin', '/admin'],
    ['/.well-known/x', '/.well-known/x'],
    ['/...', '/...'],
    ['/%61dmin', '/admin'],
    ['/%41', '/A'],
    ['/a%2fb', '/a%2Fb'],
    ['/..%2fadmin', '/..%2Fadmin'],
    ['/a%5cb', '/a%5Cb'],
    ['/a\\b', '/a%5Cb'],
    ['/..\\admin', '/..%5Cadmin'],
    ['/a;v=1/b', '/a;v=1/b'],
    ['/..;/admin', '/..;/admin'],
    ['/a%3bv=1', '/a%3Bv=1'],
    ['/a%00b', '/a%00b'],
    ['/a\0b', '/a%00b'],
    ['/a b', '/a%20b'],
    ['/a%', '/a%25'],
    ['/a%2', '/a%252'],
    ['/a%zz', '/a%25zz'],
    ['/%2561dmin', '/%2561dmin'],
    ['/%%41', '/%25A'],
    ['/caf\u00c3\u00a9', '/caf%C3%A9'],
    ['/caf%c3%a9', '/caf%C3%A9'],
    ['/{id}', '/%7Bid%7D'],
    ['/{}', '/%7B%7D'],
    ['/\ud83d', '/%EF%BF%BD'],
    ['/__proto__/constructor', '/__proto__/constructor'],
  ])('%j becomes %s', (sent, normal) => {
    expect(normalisePath(sent)).toBe(normal)
  })

  test.each([
    ['//admin', '/admin', '//admin'],
    ['/a//b', '/a/b', '/a//b'],
    ['/a//', '/a/', '/a//'],
    ['/a//../b', '/b', '/a/b'],
    ['/a/..//b', '/b', '//b'],
    ['//', '/', '//'],
  ])('%s becomes %s, or %s where slashes are not merged', (sent, merged, kept) => {
    expect(normalisePath(sent)).toBe(merged)
    expect(normalisePath(sent, false)).toBe(kept)
  })

  test('normalising twice changes nothing', () => {
    fc.assert(
      fc.property(sentPath, fc.boolean(), (sent, merge) => {
        const normal = normalisePath(sent, merge)
        expect(normalisePath(normal, merge)).toBe(normal)
      }),
      { numRuns: 1000 },
    )
  })

  test('what comes out holds no dot segment, no raw byte and no stray percent sign', () => {
    fc.assert(
      fc.property(sentPath, (sent) => {
        const normal = normalisePath(sent)
        expect(normal).toMatch(/^\/(?:[\w.~!$&'()*+,;=:@/-]|%[0-9A-F]{2})*$/)
        expect(normal.split('/')).not.toContain('.')
        expect(normal.split('/')).not.toContain('..')
        expect(normal).not.toContain('//')
      }),
      { numRuns: 1000 },
    )
  })

  test('the URL parser of the platform, applied afterwards, finds nothing left to do', () => {
    fc.assert(
      fc.property(sentPath, fc.boolean(), (sent, merge) => {
        const normal = normalisePath(sent, merge)
        expect(new URL(`http://example.com${normal}`).pathname).toBe(normal)
      }),
      { numRuns: 1000 },
    )
  })

  test('every other form of a path is the same path', () => {
    const forms = normalPath.chain((path) => fc.tuple(fc.constant(path), otherForm(path)))
    fc.assert(
      fc.property(forms, ([path, form]) => {
        expect(normalisePath(form)).toBe(path)
      }),
      { numRuns: 1000 },
    )
  })

  test('every other form of a path matches the operation of its normal form', () => {
    const forms = normalPath.chain((path) => fc.tuple(fc.constant(path), otherForm(path)))
    fc.assert(
      fc.property(forms, fc.array(fc.boolean()), ([path, form], variables) => {
        const router = new Router<string>()
        const endpoint = path
          .split('/')
          .map((segment, at) => (at > 0 && segment !== '' && variables[at] ? `{v${at}}` : segment))
          .join('/')
        router.add({ operation_id: 'it', method: 'GET', host: 'a.example', endpoint }, 'it')
        expect(router.match('GET', 'a.example', normalisePath(form))).toBe('it')
      }),
      { numRuns: 1000 },
    )
  })
})

describe('an endpoint', () => {
  test.each([
    ['/', ['']],
    ['/users', ['users']],
    ['/users/', ['users', '']],
    ['/users/{id}', ['users', '{}']],
    ['/users/{var1}/{var2}', ['users', '{}', '{}']],
    ['/%61/../b', ['b']],
    ['/a//b', ['a', 'b']],
    ['/caf\u00e9', ['caf%C3%A9']],
    ['/\u4f8b/\ud83d\ude00x', ['%E4%BE%8B', '%F0%9F%98%80x']],
    ['/a%2Fb', ['a%2Fb']],
    ['/%7Bid%7D', ['%7Bid%7D']],
    ['/__proto__/{constructor}', ['__proto__', '{}']],
  ])('%s has the segments %j', (endpoint, segments) => {
    expect(endpointSegments(endpoint)).toEqual(segments)
  })

  test.each([
    [''],
    ['users'],
    ['*'],
    ['/user-{id}'],
    ['/{id}.json'],
    ['/{a}{b}'],
    ['/{}'],
    ['/a?b'],
    ['/a#b'],
    ['/{id'],
    [`/${'a'.repeat(4096)}`],
  ])('%j is none', (endpoint) => {
    expect(endpointSegments(endpoint)).toBeUndefined()
  })

  test('one of 4,096 characters is taken', () => {
    expect(endpointSegments(`/${'a'.repeat(4095)}`)).toHaveLength(1)
  })

  test('one written in Unicode matches the bytes that browsers send', () => {
    const router = new Router<string>()
    router.add(
      { operation_id: '1', method: 'GET', host: 'a.example', endpoint: '/caf\u00e9' },
      'it',
    )
    for (const sent of ['/caf%c3%a9', '/caf%C3%A9', '/caf\u00c3\u00a9'])
      expect(router.match('GET', 'a.example', normalisePath(sent))).toBe('it')
  })
})
