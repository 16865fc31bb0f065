import { describe, expect, test } from 'vitest'
import {
  ask,
  AUTHORIZATION,
  bearer,
  configuration,
  ES,
  FORGED,
  gateOf,
  SESSION,
  tokenOf,
  VALID,
  zone,
} from './zone-fixture.js'

type Lines = readonly (readonly [string, string])[]

const OTHER = tokenOf(ES, { sub: 'bob' })
const header = (name: string) => `http.request.headers["${name}"][0]`
const cookie = (name: string) => `http.request.cookies["${name}"][0]`

function outcome(sources: readonly string[], lines: Lines, settings = {}) {
  const policy = zone({ token_configurations: [configuration('A', [ES], sources)], settings })
  return gateOf(policy).decide(ask({ lines })).configurations[0]
}

describe('a token is found', () => {
  test.each<[string, readonly string[], Lines, string, number | null]>([
    ['in a header', [AUTHORIZATION], [bearer(VALID)], 'valid', 0],
    [
      'whatever the letter case of the header',
      [AUTHORIZATION],
      [['AUTHORIZATION', VALID]],
      'valid',
      0,
    ],
    [
      'where the source is written with capitals',
      [header('Authorization')],
      [['authorization', VALID]],
      'valid',
      0,
    ],
    ['without any scheme', [AUTHORIZATION], [['Authorization', VALID]], 'valid', 0],
    [
      'behind bearer in lower case',
      [AUTHORIZATION],
      [['Authorization', `bearer ${VALID}`]],
      'valid',
      0,
    ],
    [
      'behind BEARER and a colon',
      [AUTHORIZATION],
      [['Authorization', `BEARER: ${VALID}`]],
      'valid',
      0,
    ],
    [
      'behind Bearer and many blanks',
      [AUTHORIZATION],
      [['Authorization', `Bearer  \t ${VALID}`]],
      'valid',
      0,
    ],
    ['between spaces', [AUTHORIZATION], [['Authorization', `  ${VALID}  `]], 'valid', 0],
    [
      'behind Bearer in any header',
      [header('x-token')],
      [['X-Token', `Bearer ${VALID}`]],
      'valid',
      0,
    ],
    ['in a cookie', [SESSION], [['Cookie', `a=b; session=${VALID}; c=d`]], 'valid', 0],
    [
      'in a cookie without spaces around',
      [SESSION],
      [['Cookie', `a=b;session=${VALID};c=d`]],
      'valid',
      0,
    ],
    [
      'in a second line of cookies',
      [SESSION],
      [
        ['Cookie', 'a=b'],
        ['Cookie', `session=${VALID}`],
      ],
      'valid',
      0,
    ],
    ['behind Bearer in a cookie', [SESSION], [['Cookie', `session=Bearer ${VALID}`]], 'valid', 0],
    [
      'in a cookie whose name is percent-encoded',
      [SESSION],
      [['Cookie', `%73ession=${VALID}`]],
      'valid',
      0,
    ],
    [
      'in a cookie with a name beyond ASCII',
      [cookie('s\u00e9ance')],
      [['Cookie', `s\u00c3\u00a9ance=${VALID}`]],
      'valid',
      0,
    ],
    [
      'in such a cookie percent-encoded',
      [cookie('s\u00e9ance')],
      [['Cookie', `s%C3%A9ance=${VALID}`]],
      'valid',
      0,
    ],
    [
      'in the second source when the first is absent',
      [AUTHORIZATION, SESSION],
      [['Cookie', `session=${VALID}`]],
      'valid',
      1,
    ],
    [
      'in the second source when the first is empty',
      [AUTHORIZATION, SESSION],
      [
        ['Authorization', ''],
        ['Cookie', `session=${VALID}`],
      ],
      'valid',
      1,
    ],
    [
      'in the second source when the first holds a scheme only',
      [AUTHORIZATION, SESSION],
      [
        ['Authorization', 'Bearer '],
        ['Cookie', `session=${VALID}`],
      ],
      'valid',
      1,
    ],
    [
      'in the fourth source',
      [header('a'), header('b'), header('c'), AUTHORIZATION],
      [bearer(VALID)],
      'valid',
      3,
    ],
    ['in the first of several lines', [AUTHORIZATION], [bearer(VALID), bearer(FORGED)], 'valid', 0],
    [
      'in the first of several cookies of one name',
      [SESSION],
      [['Cookie', `session=${VALID}; session=${FORGED}`]],
      'valid',
      0,
    ],
    ['in the header named __proto__', [header('__proto__')], [['__proto__', VALID]], 'valid', 0],
    [
      'in the cookie named constructor',
      [cookie('constructor')],
      [['Cookie', `constructor=${VALID}`]],
      'valid',
      0,
    ],
  ])('%s', (_where, sources, lines, reason, source_index) => {
    expect(outcome(sources, lines)).toMatchObject({ reason, source_index, present: true })
  })

  test.each<[string, readonly string[], Lines, string]>([
    [
      'a scheme is stripped once only',
      [AUTHORIZATION],
      [['Authorization', `Bearer Bearer ${VALID}`]],
      'malformed',
    ],
    [
      'another scheme is not stripped',
      [AUTHORIZATION],
      [['Authorization', `Token ${VALID}`]],
      'malformed',
    ],
    [
      'a scheme without a blank is not stripped',
      [AUTHORIZATION],
      [['Authorization', `Bearer:${VALID}`]],
      'malformed',
    ],
    ['a scheme alone is no token', [AUTHORIZATION], [['Authorization', 'Bearer']], 'malformed'],
    ['quotes are not stripped', [SESSION], [['Cookie', `session="${VALID}"`]], 'malformed'],
    [
      'a no-break space is not stripped',
      [SESSION],
      [['Cookie', `session=${VALID}\u00a0`]],
      'malformed',
    ],
    [
      'values of cookies are not decoded',
      [SESSION],
      [['Cookie', `session=${VALID.replaceAll('.', '%2e')}`]],
      'malformed',
    ],
    [
      'no later source makes up for a bad token',
      [AUTHORIZATION, SESSION],
      [bearer('garbage'), ['Cookie', `session=${VALID}`]],
      'malformed',
    ],
    [
      'no later source makes up for a forged token',
      [AUTHORIZATION, SESSION],
      [bearer(FORGED), ['Cookie', `session=${VALID}`]],
      'bad_signature',
    ],
    [
      'no later line makes up for a forged token',
      [AUTHORIZATION],
      [bearer(FORGED), bearer(VALID)],
      'bad_signature',
    ],
    [
      'no later cookie makes up for a forged token',
      [SESSION],
      [['Cookie', `session=${FORGED}; session=${VALID}`]],
      'bad_signature',
    ],
    [
      'a token of more than 16 KiB is present and invalid',
      [AUTHORIZATION],
      [bearer('a'.repeat(16_385))],
      'too_large',
    ],
    ['garbage is present and invalid', [AUTHORIZATION], [bearer('garbage')], 'malformed'],
  ])('%s', (_what, sources, lines, reason) => {
    expect(outcome(sources, lines)).toMatchObject({ reason, present: true, valid: false })
  })

  test.each<[string, readonly string[], Lines]>([
    ['there is none', [AUTHORIZATION, SESSION], []],
    ['the header is empty', [AUTHORIZATION], [['Authorization', '']]],
    ['the header is blank', [AUTHORIZATION], [['Authorization', '   ']]],
    ['the cookie is empty', [SESSION], [['Cookie', 'session=; a=b']]],
    ['the name of the cookie differs in letter case', [SESSION], [['Cookie', `Session=${VALID}`]]],
    ['the cookie has no name', [SESSION], [['Cookie', `=${VALID}; session`]]],
    ['it is in another header', [AUTHORIZATION], [['X-Authorization', VALID]]],
    ['a cookie is asked for and a header sent', [cookie('authorization')], [bearer(VALID)]],
    ['the cookie is a header of that name', [SESSION], [['session', VALID]]],
    ['the name of the cookie is encoded wrongly', [SESSION], [['Cookie', `%7%33ession=${VALID}`]]],
    ['nobody sent a header __proto__', [header('__proto__')], [bearer(VALID)]],
    ['nobody sent a header constructor', [header('constructor'), header('hasownproperty')], []],
    [
      'nobody sent a cookie __proto__',
      [cookie('__proto__'), cookie('toString')],
      [['Cookie', 'a=b']],
    ],
  ])('no token is found when %s', (_why, sources, lines) => {
    expect(outcome(sources, lines)).toEqual({
      id: 'A',
      present: false,
      valid: false,
      reason: 'absent',
      source_index: null,
      key: null,
    })
  })
})

describe('with ambiguous tokens rejected', () => {
  const both = [AUTHORIZATION, SESSION]
  test.each<[string, readonly string[], Lines, string]>([
    [
      'two sources with different tokens are ambiguous',
      both,
      [bearer(VALID), ['Cookie', `session=${OTHER}`]],
      'ambiguous',
    ],
    [
      'a bad token beside a good one is ambiguous',
      both,
      [bearer(VALID), ['Cookie', 'session=x']],
      'ambiguous',
    ],
    [
      'two sources with the same token are not',
      both,
      [bearer(VALID), ['Cookie', `session=${VALID}`]],
      'valid',
    ],
    [
      'the same token behind a scheme is not',
      both,
      [bearer(VALID), ['Cookie', `session=Bearer ${VALID}`]],
      'valid',
    ],
    ['an empty source is not', both, [bearer(VALID), ['Cookie', 'session=']], 'valid'],
    [
      'a header sent twice with different tokens is ambiguous',
      both,
      [bearer(VALID), bearer(OTHER)],
      'ambiguous',
    ],
    ['a header sent twice with one token is not', both, [bearer(VALID), bearer(VALID)], 'valid'],
    [
      'a cookie sent twice with different tokens is ambiguous',
      [SESSION],
      [['Cookie', `session=${VALID}; session=${OTHER}`]],
      'ambiguous',
    ],
    [
      'a cookie sent twice in different spelling is ambiguous',
      [SESSION],
      [['Cookie', `session=${VALID}; %73ession=${OTHER}`]],
      'ambiguous',
    ],
    [
      'a cookie in another line is ambiguous',
      [SESSION],
      [
        ['Cookie', `session=${VALID}`],
        ['Cookie', `session=${OTHER}`],
      ],
      'ambiguous',
    ],
  ])('%s', (_what, sources, lines, reason) => {
    expect(outcome(sources, lines, { ambiguous_tokens: 'reject' })?.reason).toBe(reason)
  })

  test('the first token counts without that setting', () => {
    expect(outcome(both, [bearer(VALID), ['Cookie', 'session=x']])?.reason).toBe('valid')
    expect(
      outcome(both, [bearer(VALID), ['Cookie', 'session=x']], { ambiguous_tokens: 'first' })
        ?.reason,
    ).toBe('valid')
  })

  test('an ambiguous token blocks, with the challenge for a bad token', () => {
    const policy = zone({
      token_configurations: [configuration('A', [ES], both)],
      settings: { ambiguous_tokens: 'reject' },
    })
    const lines: Lines = [bearer(VALID), ['Cookie', `session=${OTHER}`]]
    expect(gateOf(policy).decide(ask({ lines }))).toMatchObject({
      action: 'block',
      reason: 'no_valid_token',
      status: 401,
      challenge: 'Bearer realm="example.com", error="invalid_token"',
    })
  })
})
