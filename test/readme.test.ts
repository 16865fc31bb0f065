import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { Hono } from 'hono'
import { afterAll, expect, test } from 'vitest'
import { createGate } from '../src/edge/index.js'
import { demoPolicy, makeDemoKeys } from '../src/node/demo/index.js'
import { line, ended, startCli } from './node/cli/run-cli.js'
import { startServing, stopServing, type Serving } from './node/serve/serving.js'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const README = readFileSync(join(ROOT, 'README.md'), 'utf8')
const blocks = (language: string): readonly string[] =>
  [...README.matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)]
    .filter(([, found]) => found === language)
    .map(([, , code = '']) => code)

// Inside the package, so that it can be imported by its own name.
mkdirSync(join(ROOT, '.tmp'), { recursive: true })
const folder = mkdtempSync(join(ROOT, '.tmp', 'readme-'))
afterAll(() => rmSync(folder, { recursive: true }))

const policy = demoPolicy(makeDemoKeys(), 'http://127.0.0.1:9')

test('the first rule compiles as it stands', () => {
  const [rule = ''] = blocks('json')
  const pasted = { ...policy, rules: [JSON.parse(rule)] }
  expect(createGate(pasted).notices).toEqual([])
})

test('every portcullis and curl command of the README works, in its order', async () => {
  const commands = blocks('sh')
    .flatMap((block) => block.split('\n'))
    .filter((command) => /^(npx portcullis|curl) /.test(command))
  expect(commands.length).toBeGreaterThan(8)
  const main = `${process.execPath} ${join(ROOT, 'dist/node/cli/main.js')}`
  let serving: Serving | undefined
  let token = ''
  for (const command of commands) {
    const local = command.replace('npx portcullis', main)
    if (command.startsWith('curl ')) {
      const [, header = 'Accept: */*'] = /-H "([^"]+)"/.exec(command) ?? []
      const [name = '', value = ''] = header.replace('$TOKEN', token).split(': ')
      const address = /http:\S+$/.exec(command)?.[0] ?? ''
      const url = address.replace('http://127.0.0.1:8787', serving?.origin ?? '')
      expect((await fetch(url, { headers: { [name]: value } })).status).toBe(200)
      continue
    }
    if (command.includes(' serve ')) {
      expect(command).toBe('npx portcullis serve --data ./data')
      serving = await startServing(join(folder, 'data'))
      token = serving.firstToken
      expect(token).not.toBe('')
      continue
    }
    if (command.includes(' gate ')) {
      const args = command.split(' ').slice(2)
      const child = startCli(
        ...args.map((arg) => (arg === 'policy.json' ? join(folder, arg) : arg)),
        '--listen',
        '127.0.0.1:0',
      )
      const done = ended(child)
      await line(child, /listens on/)
      child.kill('SIGTERM')
      expect((await done).code).toBe(0)
      continue
    }
    const run = promisify(execFile)('sh', ['-c', local], { cwd: folder })
    // The example request carries no token: it is refused, and the exit code says so.
    if (command.includes(' explain ')) await expect(run).rejects.toMatchObject({ code: 1 })
    else await expect(run).resolves.toBeDefined()
  }
  expect((await stopServing(serving!)).code).toBe(0)
})

/** What the snippets of the README leave to the reader. */
const honoApp = new Hono()
const expressUsed: unknown[] = []
const reader = {
  policy,
  nextPolicy: policy,
  honoApp,
  expressApp: { use: (each: unknown) => expressUsed.push(each) },
  request: new Request('http://api.localhost/orders/1'),
}

async function runSnippet(at: number, ending = ''): Promise<Record<string, unknown>> {
  const file = join(folder, `embed-${at}.mjs`)
  const names = Object.keys(reader).join(', ')
  writeFileSync(file, `const { ${names} } = globalThis.reader\n${blocks('js')[at]}\n${ending}`)
  Object.assign(globalThis, { reader })
  return import(pathToFileURL(file).href)
}

test('the worker of the README refuses a request without a token', async () => {
  const { default: worker } = await runSnippet(0)
  const { fetch } = worker as { fetch(request: Request): Promise<Response> }
  const response = await fetch(new Request('http://api.localhost/orders/1'))
  expect(response.status).toBe(401)
  expect(response.headers.get('www-authenticate')).toBe('Bearer realm="localhost"')
})

test('the middleware of the README guards a Hono application, and is used by an Express one', async () => {
  await runSnippet(1)
  expect((await honoApp.request('http://api.localhost/orders/1')).status).toBe(401)
  expect(expressUsed).toHaveLength(1)
})

test('the README asks a gate why', async () => {
  const { steps } = await runSnippet(2, 'export { steps }')
  expect(steps).toMatchObject({ decision: { action: 'block', rule: 'orders' } })
})

test.each([...README.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link))(
  'the link %s leads somewhere',
  (link) => {
    expect(readFileSync(join(ROOT, link), 'utf8')).not.toBe('')
  },
)

test('every npm command of the README is one that CI runs', () => {
  const ci = readFileSync(join(ROOT, '.ci/run'), 'utf8')
  const commands = README.match(/npm (?:run [a-z]+|test|ci)\b/g) ?? []
  for (const command of new Set(commands)) expect(ci).toContain(command)
})
