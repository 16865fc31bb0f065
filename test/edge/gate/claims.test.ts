import { headerEdits } from '../../../src/edge/embed/index.js'
import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import type { ClaimHeader, ZoneSettings } from '../../../src/edge/index.js'
import {
  ask,
  AUTHORIZATION,
  bearer,
  configuration,
  ES,
  FORGED,
  gateOf,
  HS,
  judging,
  NOW_SECONDS,
  SESSION,
  tokenOf,
  VALID,
  zone,
} from './zone-fixture.js'

type Lines = readonly (readonly [string, string])[]

describe('claims of a valid token in an expression', () => {
  const CLAIMS = {
    iss: 'https://issuer.example',
    sub: 'zo\u00eb',
    jti: 'j-1',
    aud: ['api', 'admin'],
    iat: NOW_SECONDS + 0.9,
    nbf: NOW_SECONDS - 5.5,
    user: { email: 'a@example.com', level: 7, admin: true },
    constructor: 'c',
  }
  const holds = (expression: string, claims: unknown = CLAIMS) =>
    gateOf(judging(expression)).decide(ask({ lines: [bearer(tokenOf(ES, claims))] })).action ===
    'pass'
  const json = 'http.request.jwt.claims["A"][0]'

  test.each([
    ['http.request.jwt.claims.iss["A"][0] eq "https://issuer.example"'],
    ['http.request.jwt.claims.sub["A"][0] eq "zo\u00eb"'],
    ['http.request.jwt.claims.jti["A"][0] eq "j-1"'],
    ['http.request.jwt.claims.aud["A"][1] eq "admin"'],
    ['any(http.request.jwt.claims.aud["A"][*] eq "admin")'],
    ['not any(http.request.jwt.claims.aud["A"][*] eq "other")'],
    [`http.request.jwt.claims.iat.sec["A"][0] eq ${NOW_SECONDS}`],
    [`http.request.jwt.claims.nbf.sec["A"][0] eq ${NOW_SECONDS - 6}`],
    ['http.request.jwt.claims.sub.names[0] eq "A"'],
    ['any(http.request.jwt.claims.aud.values[*] eq "api")'],
    [`lookup_json_string(${json}, "user", "email") eq "a@example.com"`],
    [`lookup_json_integer(${json}, "user", "level") ge 7`],
    [`lookup_json_string(${json}, "constructor") eq "c"`],
    [`${json} contains "issuer.example"`],
  ])('%s', (expression) => {
    expect(holds(expression)).toBe(true)
  })

  test('is found under the id of its configuration, in whatever script that is written', () => {
    const names = 'any(http.request.jwt.claims.sub.names[*] eq "mâche ✓")'
    const expression = `http.request.jwt.claims.sub["mâche ✓"][0] eq "alice" and ${names}`
    const policy = judging(expression, { token_configurations: [configuration('mâche ✓')] })
    const request = ask({ lines: [bearer(VALID)] })
    expect(gateOf(policy).decide(request)).toMatchObject({ action: 'pass', reason: 'satisfied' })
  })

  test.each([
    ['sub', 7],
    ['sub', ['alice']],
    ['sub', null],
    ['iss', { iss: 'alice' }],
    ['jti', true],
    ['aud', 7],
    ['aud', [7, null, ['alice']]],
  ])('a claim %s of the wrong type is missing: %j', (name, value) => {
    const claim = `http.request.jwt.claims.${name}`
    expect(holds(`any(${claim}["A"][*] matches ".*")`, { [name]: value })).toBe(false)
    expect(holds(`any(${claim}.names[*] eq "A")`, { [name]: value })).toBe(false)
  })

  test('the other elements of an aud remain', () => {
    expect(holds('http.request.jwt.claims.aud["A"][0] eq "x"', { aud: [7, 'x'] })).toBe(true)
  })

  test.each(['1', null, 1e300, [1]])('an iat of %j is missing', (iat) => {
    expect(holds('any(http.request.jwt.claims.iat.sec["A"][*] ge 0)', { iat })).toBe(false)
  })

  test.each([
    ['absent', []],
    ['forged', [bearer(FORGED)]],
    ['another one\u2019s', [['X-B', tokenOf(HS, { sub: 'alice' })]]],
  ] satisfies [string, Lines][])('there are none of a token that is %s', (_what, lines) => {
    const expression = 'any(http.request.jwt.claims.sub["A"][*] eq "alice")'
    expect(gateOf(judging(expression)).decide(ask({ lines })).action).toBe('block')
  })

  test('are those of their own configuration', () => {
    const gate = gateOf(
      judging(
        'http.request.jwt.claims.sub["A"][0] eq "a" and http.request.jwt.claims.sub["B"][0] eq "b"',
      ),
    )
    const tokens = (a: string, b: string): Lines => [
      bearer(tokenOf(ES, { sub: a })),
      ['X-B', tokenOf(HS, { sub: b })],
    ]
    expect(gate.decide(ask({ lines: tokens('a', 'b') })).action).toBe('pass')
    expect(gate.decide(ask({ lines: tokens('b', 'a') })).action).toBe('block')
  })
})

const claimHeader = (claim: string | string[], header = 'X-User', id = 'A'): ClaimHeader => ({
  header,
  configuration_id: id,
  claim,
})

function editsOf(settings: ZoneSettings, lines: Lines, parts = {}) {
  const gate = gateOf(
    judging('is_jwt_valid("A") or is_jwt_valid("B") or true', { settings, ...parts }),
  )
  return headerEdits(gate.decide(ask({ lines })))
}

describe('claims in headers', () => {
  const edits = (claims: unknown, ...headers: readonly ClaimHeader[]) =>
    editsOf({ claim_headers: headers }, [bearer(tokenOf(ES, claims))])

  test.each<[string, unknown, string | string[], string | undefined]>([
    ['text as it is', { sub: 'alice' }, 'sub', 'alice'],
    ['a number as JSON', { level: 7 }, 'level', '7'],
    ['an array as JSON', { aud: ['a', 'b'] }, 'aud', '["a","b"]'],
    ['true as JSON', { admin: true }, 'admin', 'true'],
    ['null as JSON', { admin: null }, 'admin', 'null'],
    ['a nested claim by its path', { user: { email: 'a@b' } }, ['user', 'email'], 'a@b'],
    ['an empty text', { sub: '' }, 'sub', ''],
    ['letters beyond ASCII percent-encoded', { sub: 'zo\u00eb' }, 'sub', 'zo%C3%AB'],
    ['a percent sign encoded', { sub: '100%' }, 'sub', '100%25'],
    ['a space within as it is', { sub: 'ada l' }, 'sub', 'ada l'],
    ['spaces at its ends encoded', { sub: '  root ' }, 'sub', '%20 root%20'],
    ['a lone space encoded', { sub: ' ' }, 'sub', '%20'],
    ['a line break encoded', { sub: 'a\r\nX-Admin: 1' }, 'sub', 'a%0D%0AX-Admin: 1'],
    ['a zero byte encoded', { sub: 'a\0b' }, 'sub', 'a%00b'],
    ['an emoji encoded as a whole', { sub: '\ud83d\ude00' }, 'sub', '%F0%9F%98%80'],
    ['half a surrogate pair replaced', '{"sub":"\\ud83d"}', 'sub', '%EF%BF%BD'],
    ['nothing for a claim that is not there', {}, 'sub', undefined],
    ['nothing for what every object has', {}, 'constructor', undefined],
    ['nothing for __proto__', {}, '__proto__', undefined],
    [
      'nothing for a path through what every object has',
      { user: {} },
      ['user', 'toString', 'name'],
      undefined,
    ],
    ['nothing for a path through text', { sub: 'alice' }, ['sub', 'length'], undefined],
    ['a claim that is called __proto__', '{"__proto__":"x"}', '__proto__', 'x'],
  ])('carry %s', (_what, claims, claim, value) => {
    expect(edits(claims, claimHeader(claim))?.set).toEqual(
      value === undefined ? [] : [['X-User', value]],
    )
  })

  test('never carry what could end a header', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (sub) => {
        const set = edits({ sub }, claimHeader('sub'))?.set
        expect(set?.[0]?.[1]).toMatch(/^[ -~]*$/)
        expect(decodeURIComponent(set?.[0]?.[1] ?? '')).toBe(sub.toWellFormed())
      }),
      { numRuns: 50 },
    )
  })

  test('come from the first in the list that has the claim', () => {
    const headers = [claimHeader('sub', 'X-User', 'B'), claimHeader('sub', 'x-user', 'A')]
    const a = bearer(tokenOf(ES, { sub: 'a' }))
    const b = ['X-B', tokenOf(HS, { sub: 'b' })] as const
    expect(editsOf({ claim_headers: headers }, [a, b])?.set).toEqual([['X-User', 'b']])
    expect(editsOf({ claim_headers: headers }, [a])?.set).toEqual([['x-user', 'a']])
  })

  test.each<[string, Lines]>([
    ['forged', [bearer(FORGED)]],
    ['expired', [bearer(tokenOf(ES, { sub: 'a', exp: 1 }))]],
    ['absent', []],
  ])('come from no token that is %s', (_what, lines) => {
    expect(editsOf({ claim_headers: [claimHeader('sub')] }, lines)?.set).toEqual([])
  })
})

describe('a client\u2019s own header of a claim\u2019s name', () => {
  const settings: ZoneSettings = { claim_headers: [claimHeader('sub')] }
  test.each(['X-User', 'x-user', 'X-USER', 'X_User', 'x_user', 'X.User', 'X~User'])(
    '%s is removed',
    (name) => {
      const remove = [...new Set(['x-user', name.toLowerCase()])]
      expect(editsOf(settings, [[name, 'root']])?.remove).toEqual(remove)
      expect(editsOf(settings, [bearer(VALID), [name, 'root']])).toEqual({
        remove,
        set: [['X-User', 'alice']],
        cookie: undefined,
      })
    },
  )

  test.each(['X-Users', 'X-Use', 'XUser'])('%s stays', (name) => {
    expect(editsOf(settings, [[name, 'root']])?.remove).toEqual(['x-user'])
  })

  test('is named for removal even where there is none, for proxies that copy what they are told', () => {
    expect(editsOf(settings, [])?.remove).toEqual(['x-user'])
  })

  test.each([
    ['no rule covers', { rules: [] }],
    ['is unlisted', { operations: [] }],
  ])('is removed even from a request that %s', (_what, parts) => {
    expect(editsOf(settings, [['X-User', 'root']], parts)?.remove).toEqual(['x-user'])
  })

  test('is removed from a request that is only logged', () => {
    const policy = zone({ settings, rules: [{ action: 'log', expression: 'is_jwt_valid("A")' }] })
    const decision = gateOf(policy).decide(ask({ lines: [['X-User', 'root']] }))
    expect(decision.action).toBe('log')
    expect(headerEdits(decision)).toMatchObject({ remove: ['x-user'], set: [] })
  })
})

describe('tokens that are stripped', () => {
  const stripped = (lines: Lines, sources = [AUTHORIZATION, SESSION]) => {
    const token_configurations = [configuration('A', [ES], sources)]
    const policy = zone({ token_configurations, settings: { strip_tokens: true } })
    return headerEdits(gateOf(policy).decide(ask({ lines })))
  }

  test.each<[string, Lines, string | null | undefined]>([
    ['leave a request without cookies as it is', [bearer(VALID)], undefined],
    ['take their cookie with them', [['Cookie', `session=${VALID}`]], null],
    [
      'leave other cookies as sent',
      [['Cookie', `a=1;  b="2"; session=${VALID}; flag; c==3`]],
      'a=1;  b="2"; flag; c==3',
    ],
    [
      'take all cookies of their name',
      [['Cookie', 'session=x; a=1; %73ession=y; session=z']],
      'a=1',
    ],
    [
      'leave cookies of similar names',
      [['Cookie', 'Session=x; sessions=y']],
      'Session=x; sessions=y',
    ],
    ['leave a cookie without a name', [['Cookie', '=session; session']], '=session; session'],
  ])('%s', (_what, lines, cookie) => {
    expect(stripped(lines)).toEqual({ remove: ['authorization'], set: [], cookie })
  })

  test('are those of the deciding rule, from every source', () => {
    expect(stripped([], [AUTHORIZATION, 'http.request.headers["x-b"][0]'])?.remove).toEqual([
      'authorization',
      'x-b',
    ])
    expect(editsOf({ strip_tokens: true }, [], { rules: [] })).toEqual({
      remove: [],
      set: [],
      cookie: undefined,
    })
  })

  test('are not stripped unless the zone says so', () => {
    expect(editsOf({}, [bearer(VALID)])).toBeNull()
    expect(editsOf({ strip_tokens: false }, [bearer(VALID)])).toBeNull()
  })
})
