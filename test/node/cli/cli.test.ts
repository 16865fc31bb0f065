import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, demoPolicy, makeDemoKeys, makeDemoTokens } from '../../../src/node/demo/index.js'
import { ended, line, runCli, startCli } from './run-cli.js'

const folder = mkdtempSync(join(tmpdir(), 'portcullis-'))
const keys = makeDemoKeys()
const policy = demoPolicy(keys, 'http://127.0.0.1:9')
const tokens = await makeDemoTokens(keys, Date.now())

function file(name: string, content: unknown): string {
  const path = join(folder, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

const good = file('good.json', policy)
const withExpression = (expression: string) => ({
  ...policy,
  rules: [{ action: 'block', expression }],
})

afterAll(() => rmSync(folder, { recursive: true }))

describe('the command line', () => {
  test.each([
    [['--help'], 0, /Usage: portcullis COMMAND/],
    [['help', 'check'], 0, /Usage: portcullis check/],
    [['gate', '--help'], 0, /--policy FILE/],
    [['check', '--help'], 0, /--strict/],
    [['explain', '-h'], 0, /--token TOKEN/],
    [['demo', '--help'], 0, /--once/],
    [['--version'], 0, /^\d+\.\d+\.\d+$/m],
    [['gate', '--version'], 0, /^\d+\.\d+\.\d+$/m],
    [[], 2, /Usage/],
  ])('%j exits %i', async (args, code, out) => {
    const run = await runCli(args)
    expect(run.out).toMatch(out)
    expect(run.code).toBe(code)
  })

  test.each([
    [['open-sesame'], /unknown command 'open-sesame'/],
    [['constructor'], /unknown command/],
    [['check'], /expected a policy file/],
    [['check', '--nope', good], /nope/],
    [['gate'], /expected --policy FILE/],
    [['gate', '--policy', good, '--listen', 'nowhere'], /expected HOST:PORT/],
    [['gate', '--policy', good, '--listen', '::1:8080'], /or \[IPv6\]:PORT, found '::1:8080'/],
    [['gate', '--policy', good, '--metrics', 'nowhere'], /expected HOST:PORT/],
    [['gate', '--policy', good, '--mode', 'haproxy'], /expected --mode proxy, auth-request/],
    [['gate', '--policy', good, '--upstream', 'ftp://x'], /http or https/],
    [['gate', '--policy', good, '--upstream', 'http://x/path'], /no path/],
    [['gate', '--policy', good, '--trust', 'nobody'], /--trust: "nobody" is no address/],
    [['gate', '--policy', good, '--trust', '10.0.0.0/8/9'], /--trust: "10.0.0.0.8.9" is no/],
    [['explain', '--policy', good], /expected one URL/],
    [['explain', '--policy', good, 'not a url'], /expected a URL/],
    [['explain', '--policy', good, '--ip', '1.2.3', 'http://a.localhost/'], /expected an address/],
    [['explain', '--policy', good, '--at', 'noon', 'http://a.localhost/'], /expected a time/],
    [['explain', '--policy', good, '-H', 'nocolon', 'http://a.localhost/'], /Name: value/],
    [['demo', '--listen', '99999999'], /expected HOST:PORT/],
  ])('%j is misuse: exit 2, and where to read on', async (args, message) => {
    const run = await runCli(args)
    expect(run.err).toMatch(message)
    expect(run.err).toMatch(/Try 'portcullis/)
    expect(run.code).toBe(2)
  })
})

describe('check', () => {
  test('a policy that compiles', async () => {
    expect(await runCli(['check', good])).toMatchObject({ code: 0, err: '' })
  })

  test('standard input', async () => {
    expect(await runCli(['check', '-'], JSON.stringify(policy))).toMatchObject({ code: 0 })
  })

  test('a misspelt function: pointer, line, column, caret and the right name', async () => {
    const run = await runCli([
      'check',
      file('typo.json', withExpression('is_jwt_valdi("customers")')),
    ])
    expect(run.out).toMatch(/error .*\/rules\/0\/expression 1:1 /)
    expect(run.out).toMatch(/\^\^\^/)
    expect(run.out).toMatch(/is_jwt_valid/)
    expect(run.code).toBe(1)
  })

  test('an error rule that does not compile: pointer and caret', async () => {
    const action_parameters = { content: '', content_type: 'text/plain' }
    const edge_errors = {
      rules: [{ id: 'a', expression: 'http.respons.code eq 1', action_parameters }],
    }
    const run = await runCli(['check', '-'], JSON.stringify({ ...policy, edge_errors }))
    expect(run.out).toMatch(/error -\/edge_errors\/rules\/0\/expression 1:1 unknown_field/)
    expect(run.out).toMatch(/\^\^\^/)
    expect(run.code).toBe(1)
  })

  test('text that is no JSON: line and column', async () => {
    const run = await runCli(['check', file('broken.json', '{\n  "id": "a",\n  oops\n}')])
    expect(run.out).toMatch(/error .* 3:3 not_json/)
    expect(run.code).toBe(1)
  })

  test('text that begins with a byte order mark', async () => {
    const marked = join(folder, 'marked.json')
    writeFileSync(marked, '\ufeff{"id":"z","name":"example.com"}')
    expect(await runCli(['check', marked])).toMatchObject({ code: 0 })
  })

  test.each([
    ['as a shell of Windows writes it', 'utf16le', '\ufeff{"id":"z","name":"example.com"}', '1:1'],
    ['as an editor of old writes it', 'latin1', '{"id":"z",\n"name":"ex\u00e4mple"}', '2:11'],
  ] as const)('text in another encoding, %s, is told of as such', async (_, encoding, text, at) => {
    const other = join(folder, `${encoding}.json`)
    writeFileSync(other, text, encoding)
    const run = await runCli(['check', other])
    expect(run.out).toContain(`${other} ${at} not_json`)
    expect(run.out).toContain('  expected UTF-8, found another encoding')
    expect(run.code).toBe(1)
  })

  test('a file that is not there', async () => {
    const run = await runCli(['check', join(folder, 'nowhere.json')])
    expect(run.out).toMatch(/unreadable/)
    expect(run.code).toBe(1)
  })

  test('every fault of a policy is listed, not only the first, and secrets are not repeated', async () => {
    const [configuration] = policy.token_configurations ?? []
    const bad = {
      ...policy,
      token_configurations: [
        {
          ...configuration,
          id: 'weak',
          credentials: { keys: [{ kty: 'oct', alg: 'HS256', kid: 'a', k: 'c2VjcmV0LXNlY3JldA' }] },
        },
      ],
      rules: [{ action: 'deny', expression: 'true' }],
    }
    const first = await runCli(['check', '--json', file('bad.json', bad)])
    expect(JSON.parse(first.out).errors).toMatchObject([
      { pointer: '/rules/0/action', code: 'not_allowed' },
    ])
    const run = await runCli([
      'check',
      '--json',
      file('bad.json', { ...bad, rules: [{ action: 'log', expression: 'nope' }] }),
    ])
    const pointers = JSON.parse(run.out).errors.map(({ pointer }: { pointer: string }) => pointer)
    expect(pointers).toContain('/token_configurations/0/credentials/keys/0/k')
    expect(pointers).toContain('/rules/0/expression')
    expect(run.out).not.toContain('c2VjcmV0LXNlY3JldA')
    expect(run.code).toBe(1)
  })

  test('a key that is accepted and yet weak is a notice', async () => {
    const jwk = {
      kty: 'oct',
      alg: 'HS256',
      kid: 'a',
      k: 'YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWE',
    }
    const [configuration] = policy.token_configurations ?? []
    const weak = {
      ...policy,
      token_configurations: [{ ...configuration, credentials: { keys: [jwk] } }],
      rules: [],
      settings: {},
    }
    const run = await runCli(['check', file('weak.json', weak)])
    expect(run.out).toMatch(/notice .*\/credentials\/keys\/0\/k 110102/)
    expect(run.code).toBe(0)
  })

  test.each([
    ['a rule for no host of the zone', { include: [{ host: 'api.localhos' }] }, 'covers_nothing'],
    [
      'an exception for no operation',
      { exclude: [{ operation_ids: ['health', 'healthz'] }] },
      'exclude_without_effect',
    ],
  ])('%s is a notice, as it guards nothing', async (_, selector, code) => {
    const rules = [
      { id: 'odd', action: 'block', expression: 'is_jwt_valid("customers")', selector },
    ]
    const run = await runCli(['check', '--json', '-'], JSON.stringify({ ...policy, rules }))
    expect(JSON.parse(run.out)).toMatchObject({ errors: [], notices: [{ code }] })
  })

  test('a rule for other hosts is none where what is not listed is covered', async () => {
    const rules = [
      {
        action: 'block',
        expression: 'is_jwt_valid("customers")',
        selector: { include: [{ host: 'new.localhost' }] },
      },
    ]
    const settings = { unlisted_operations: 'cover' }
    const run = await runCli(
      ['check', '--strict', '-'],
      JSON.stringify({ ...policy, rules, settings }),
    )
    expect(run.code).toBe(0)
  })

  test.each(['', 'id: shop\nrules: []\n', '\ufeff\ufeff{}'])(
    '%j is told that a policy is JSON',
    async (text) => {
      const run = await runCli(['check', file('policy.yaml', text)])
      expect(run.out).toMatch(/1:1 not_json\n.*a policy is JSON/)
    },
  )

  test('a notice is no finding, unless asked to be strict', async () => {
    const odd = file('odd.json', { ...policy, colour: 'red' })
    expect(await runCli(['check', odd])).toMatchObject({ code: 0 })
    const run = await runCli(['check', '--strict', odd])
    expect(run.out).toMatch(/notice .*\/colour unknown_member/)
    expect(run.code).toBe(1)
  })
})

describe('explain', () => {
  const url = 'http://api.localhost/orders/17'

  test('a valid token: every step, exit 0, and never the token', async () => {
    const run = await runCli(['explain', '--policy', good, '--token', tokens.customer, url])
    expect(run.out).toMatch(/operation +GET api\.localhost\/orders\/\{id\} \(read-order\)/)
    expect(run.out).toMatch(/→ Orders need a customer or a machine \(orders\): decides/)
    expect(run.out).toMatch(/key customers-2026 \(RS256\)/)
    expect(run.out).toMatch(/✓ signature/)
    expect(run.out).toMatch(/✓ is_jwt_valid\("customers"\)/)
    expect(run.out).toMatch(/decision +pass: satisfied/)
    for (const part of tokens.customer.split('.')) expect(run.out).not.toContain(part)
    expect(run.code).toBe(0)
  })

  test('a refused request: which check failed, and exit 1', async () => {
    const run = await runCli(['explain', '--policy', good, '--token', tokens.expired, url])
    expect(run.out).toMatch(/✗ not expired/)
    expect(run.out).toMatch(/· signature/)
    expect(run.out).toMatch(/decision +block with 401: no_valid_token/)
    expect(run.code).toBe(1)
  })

  test('the clock is an option', async () => {
    const args = [
      'explain',
      '--json',
      '--policy',
      good,
      '--token',
      tokens.customer,
      '--at',
      '2000-01-01T00:00:00Z',
      url,
    ]
    const run = await runCli(args)
    expect(JSON.parse(run.out).decision).toMatchObject({ action: 'pass' })
    const late = await runCli(
      args.map((arg) => (arg.startsWith('2000') ? '2100-01-01T00:00:00Z' : arg)),
    )
    expect(JSON.parse(late.out).decision.configurations[0]).toMatchObject({ reason: 'expired' })
  })

  test('claims are not shown', async () => {
    const args = [
      'explain',
      '--policy',
      good,
      '--token',
      tokens.admin,
      'http://admin.localhost/reports/2026',
    ]
    const run = await runCli(args)
    expect(run.out).toMatch(/✓ lookup_json_string/)
    expect(run.out).toMatch(/\[redacted\]/)
    expect(run.out).not.toContain('admin-1')
  })
})

describe('check of an upstream', () => {
  test.each(['localhost:9000', 'http://127.0.0.1:9000/api', 'ftp://x', ''])(
    '%j is noticed: nothing could be sent there',
    async (upstream) => {
      const run = await runCli([
        'check',
        '--strict',
        file('upstream.json', { ...policy, upstream }),
      ])
      expect(run.out).toMatch(/notice .*\/upstream bad_upstream/)
      expect(run.code).toBe(1)
    },
  )

  test.each([
    ['proxy', ['/upstream bad_upstream']],
    ['auth-request', []],
  ])('a gate with --mode %s tells %j, at its start and after a change', async (mode, told) => {
    const path = file(`${mode}.json`, { ...policy, upstream: 'localhost:9000' })
    const child = startCli('gate', '--policy', path, '--listen', '127.0.0.1:0', '--mode', mode)
    const done = ended(child)
    await line(child, /listens on/)
    const changed = line(child, /policy 2 is in force/)
    file(`${mode}.json`, { ...policy, upstream: 'localhost:9001' })
    await changed
    child.kill('SIGTERM')
    const { err } = await done
    const notices = err.split('\n').filter((text) => text.startsWith('notice'))
    expect(notices).toEqual(
      told.flatMap((each) => [`notice ${path}${each}`, `notice ${path}${each}`]),
    )
    expect(err.includes('found "localhost:9001"')).toBe(told.length > 0)
  })

  test('a password in it is not repeated', async () => {
    const upstream = 'http://user:hunter2@127.0.0.1:9000'
    const whole = file('password.json', { ...policy, upstream })
    const run = await runCli(['check', whole])
    expect(run.out).toMatch(/found "\.\.\.@127\.0\.0\.1:9000"/)
    const gate = await runCli(['gate', '--policy', whole, '--upstream', upstream])
    expect(gate).toMatchObject({ code: 2, err: expect.stringContaining('...@127.0.0.1:9000') })
    expect(run.out + run.err + gate.out + gate.err).not.toContain('hunter2')
  })
})

describe('gate', () => {
  const upstream = createServer((_, response) => response.end('from upstream'))
  beforeAll(
    () => new Promise<void>((resolve) => void upstream.listen(0, '127.0.0.1', () => resolve())),
  )
  afterAll(() => void upstream.close())

  const step = (path: string, headers = {}) => ({
    title: '',
    method: 'GET' as const,
    host: 'api.localhost',
    path,
    headers,
    expect: { status: 200, decision: null },
  })

  test('judges, prints what it refuses, follows the file, keeps its policy when the file is bad', async () => {
    const { port } = upstream.address() as AddressInfo
    const path = file('live.json', demoPolicy(keys, `http://127.0.0.1:${port}`))
    const child = startCli('gate', '--policy', path, '--listen', '127.0.0.1:0', '--json')
    const done = ended(child)
    const listens = await line(child, /listens on/)
    const url = /http:\S+/.exec(listens)?.[0] ?? ''

    const refusal = line(child, /"block"/)
    expect((await ask(url, step('/orders/17'))).status).toBe(401)
    expect(JSON.parse(await refusal)).toMatchObject({
      action: 'block',
      reason: 'no_valid_token',
      path: '/orders/17',
      rule: 'orders',
      status: 401,
    })
    const passed = await ask(
      url,
      step('/orders/17', { authorization: `Bearer ${tokens.customer}` }),
    )
    expect(passed).toMatchObject({ status: 200 })
    expect(passed.text).toContain('from upstream')

    const refused = line(child, /policy 1 stays in force/)
    file('live.json', withExpression('is_jwt_valid('))
    await refused
    expect((await ask(url, step('/orders/17'))).status).toBe(401)

    const changed = line(child, /policy 2 is in force/)
    file('live.json', { ...demoPolicy(keys, `http://127.0.0.1:${port}`), rules: [] })
    await changed
    expect((await ask(url, step('/orders/17'))).status).toBe(200)

    child.kill('SIGTERM')
    expect((await done).code).toBe(0)
  })

  test('a file behind a link to a folder that is replaced is followed; a failing upstream is told of', async () => {
    const [one, two] = ['one', 'two'].map((name) => join(folder, name)) as [string, string]
    for (const each of [one, two]) mkdirSync(each)
    file('one/policy.json', policy)
    file('two/policy.json', { ...policy, rules: [] })
    const mounted = join(folder, 'mounted')
    mkdirSync(mounted)
    symlinkSync(one, join(mounted, '..data'))
    symlinkSync(join('..data', 'policy.json'), join(mounted, 'policy.json'))
    const child = startCli(
      'gate',
      '--policy',
      join(mounted, 'policy.json'),
      '--listen',
      '127.0.0.1:0',
    )
    const done = ended(child)
    const url = /http:\S+/.exec(await line(child, /listens on/))?.[0] ?? ''

    const changed = line(child, /policy 2 is in force/)
    symlinkSync(two, join(mounted, '..next'))
    renameSync(join(mounted, '..next'), join(mounted, '..data'))
    await changed

    const failure = line(child, /ECONNREFUSED/)
    await ask(url, step('/orders/17?token=secret'))
    expect(await failure).toMatch(/521 GET api\.localhost:\d+\/orders\/17: /)
    child.kill('SIGTERM')
    expect((await done).err).not.toContain('secret')
  })

  test('a bad policy ends it before it listens', async () => {
    const run = await runCli([
      'gate',
      '--policy',
      file('no.json', withExpression('1 ==')),
      '--listen',
      '127.0.0.1:0',
    ])
    expect(run.err).toMatch(/\/rules\/0\/expression/)
    expect(run.code).toBe(1)
  })

  test('an address that is taken', async () => {
    const { port } = upstream.address() as AddressInfo
    const run = await runCli(['gate', '--policy', good, '--listen', `127.0.0.1:${port}`])
    expect(run.err).toMatch(/EADDRINUSE/)
    expect(run.code).toBe(1)
  })
})

describe('demo', () => {
  test('--once tells the whole story and every answer is as it should be', async () => {
    const run = await runCli(['demo', '--once', '--listen', '127.0.0.1:0'])
    expect(run.out).not.toMatch(/✗/)
    expect(run.out).toMatch(/(\d+) of \1 answers as they should be/)
    expect(run.code).toBe(0)
  })

  test('--once --json is one object a step', async () => {
    const run = await runCli(['demo', '--once', '--json', '--listen', '127.0.0.1:0'])
    const steps = run.out
      .trim()
      .split('\n')
      .map((each) => JSON.parse(each))
    expect(steps.length).toBeGreaterThan(15)
    expect(steps.every(({ wrong }) => wrong.length === 0)).toBe(true)
  })

  test('prints curl lines and then decisions, and ends on SIGINT', async () => {
    const child = startCli('demo', '--listen', '127.0.0.1:0')
    const done = ended(child)
    const curl = await line(child, /^curl -i http:\/\/api\.localhost/)
    const url = `http://127.0.0.1:${/localhost:(\d+)/.exec(curl)?.[1]}`
    const decision = line(child, /^BLOCK 401/)
    await ask(url, { ...step, headers: {} })
    expect(await decision).toMatch(
      /GET api\.localhost:\d+\/orders\/17 no_valid_token · rule orders/,
    )
    child.kill('SIGINT')
    expect((await done).code).toBe(0)
  })

  test('its policy document passes check without a notice', async () => {
    const printed = await runCli(['demo', '--print-policy'])
    expect(await runCli(['check', '--strict', file('printed.json', printed.out)])).toMatchObject({
      code: 0,
    })
  })
})

const step = {
  title: '',
  method: 'GET',
  host: 'api.localhost',
  path: '/orders/17',
  expect: { status: 401, decision: null },
} as const
