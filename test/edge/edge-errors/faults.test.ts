import { describe, expect, test } from 'vitest'
import { compileEdgeErrors, readEdgeErrors } from '../../../src/edge/edge-errors/index.js'
import { Report } from '../../../src/edge/gate/index.js'
import { PolicyError } from '../../../src/edge/index.js'
import { request } from './request.js'

function issuesOf(document: unknown) {
  try {
    compileEdgeErrors(document)
  } catch (cause) {
    if (cause instanceof PolicyError) return cause.issues
  }
  return []
}

const action = { content: 'x', content_type: 'text/plain' }
const rules = (more: object) => ({
  rules: [{ id: 'a', expression: 'true', action_parameters: action, ...more }],
})

describe('a document is refused with code and pointer', () => {
  test.each<[string, unknown, string, string]>([
    ['no object', [], 'wrong_type', ''],
    ['a rule without an expression', { rules: [{}] }, 'missing_member', '/rules/0'],
    ['a rule that is none', { rules: [1] }, 'wrong_type', '/rules/0'],
    ['an empty id', rules({ id: '' }), 'wrong_size', '/rules/0/id'],
    [
      'an expression cut short',
      rules({ expression: 'ssl and' }),
      'unexpected_input',
      '/rules/0/expression',
    ],
    [
      'an unknown field',
      rules({ expression: 'http.nonsense eq 1' }),
      'unknown_field',
      '/rules/0/expression',
    ],
    [
      'claims, which no error has',
      rules({ expression: 'any(http.request.jwt.claims.aud["a"][*] == "x")' }),
      'unknown_field',
      '/rules/0/expression',
    ],
    [
      'a question of tokens',
      rules({ expression: 'is_jwt_valid("a")' }),
      'unknown_configuration',
      '/rules/0/expression',
    ],
    [
      'a fault in a rule that is not enabled',
      rules({ enabled: false, expression: '(' }),
      'expected',
      '/rules/0/expression',
    ],
    [
      'an unknown content type',
      rules({ action_parameters: { ...action, content_type: 'text/css' } }),
      'not_allowed',
      '/rules/0/action_parameters/content_type',
    ],
    [
      'a status out of range',
      rules({ action_parameters: { ...action, status_code: 200 } }),
      'not_allowed',
      '/rules/0/action_parameters/status_code',
    ],
    [
      'a status that is no whole number',
      rules({ action_parameters: { ...action, status_code: '503' } }),
      'not_allowed',
      '/rules/0/action_parameters/status_code',
    ],
    [
      'two rules of one id',
      { rules: [...rules({}).rules, ...rules({}).rules] },
      'duplicate_id',
      '/rules/1/id',
    ],
    ['a page for no class', { pages: { '4xx': '' } }, 'unknown_class', '/pages/4xx'],
    ['a page for no code', { pages: { '999': '' } }, 'unknown_class', '/pages/999'],
    [
      'a page for a name of the platform',
      { pages: { __proto__x: '' } },
      'unknown_class',
      '/pages/__proto__x',
    ],
    ['a page that is no text', { pages: { '1020': 1 } }, 'wrong_type', '/pages/1020'],
    ['a colour by name', { branding: { accent: 'red' } }, 'bad_colour', '/branding/accent'],
    [
      'a colour that says more',
      { branding: { background: '#123456;x' } },
      'bad_colour',
      '/branding/background',
    ],
    [
      'a logo from elsewhere',
      { branding: { logo: 'https://a.example/x.png' } },
      'bad_logo',
      '/branding/logo',
    ],
    [
      'a logo that breaks out',
      { branding: { logo: 'data:image/png,"><script>' } },
      'bad_logo',
      '/branding/logo',
    ],
    [
      'a document as a logo',
      { branding: { logo: 'data:text/html,x' } },
      'bad_logo',
      '/branding/logo',
    ],
  ])('%s', (_what, document, code, pointer) => {
    expect(issuesOf(document)).toMatchObject([{ code, pointer }, ...issuesOf(document).slice(1)])
    expect(issuesOf(document)).not.toEqual([])
  })

  test('with the line and the caret of an expression', () => {
    const [issue] = issuesOf(rules({ expression: 'ssl and\nhttp.nonsense eq 1' }))
    expect(issue).toMatchObject({ line: 2, column: 1 })
    expect(issue?.frame).toContain('^')
  })

  test('with every fault, not only the first', () => {
    const two = {
      rules: [
        { id: 'a', expression: '(', action_parameters: action },
        { id: 'b', expression: ')', action_parameters: action },
      ],
    }
    expect(issuesOf(two).map(({ pointer }) => pointer)).toEqual([
      '/rules/0/expression',
      '/rules/1/expression',
    ])
  })
})

test.each([
  ['an unknown member', { rule: [] }, 'unknown_member', '/rule'],
  [
    'content that is no JSON',
    rules({ action_parameters: { content: '{', content_type: 'application/json' } }),
    'not_json',
    '/rules/0/action_parameters/content',
  ],
  [
    'an unknown placeholder',
    { pages: { '1xxx': '::CLIENT_IP::' } },
    'unknown_placeholder',
    '/pages/1xxx',
  ],
  [
    'a header name with capitals',
    rules({ expression: 'len(http.request.headers["Accept"][0]) > 1' }),
    'upper_case_header',
    '/rules/0/expression',
  ],
])('%s is noted', (_what, document, code, pointer) => {
  const report = new Report()
  readEdgeErrors(document, report)
  expect(report.errors).toEqual([])
  expect(report.notices).toMatchObject([{ code, pointer }])
})

test('a page that is undefined is none, as are other members', () => {
  const document = { rules: undefined, branding: undefined, pages: { '5xx': undefined } }
  const met = { code: 522, request: request() }
  const answer = compileEdgeErrors(document).answer(met, { zone: 'example.com', now: 0 })
  expect(answer).toMatchObject({ by: 'default', status: 522 })
})
