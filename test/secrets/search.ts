import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeKey, makeToken } from '../edge/token/keys.js'
import { ended, line, runCli, startCli } from '../node/cli/run-cli.js'
import { startServing, stopServing } from '../node/serve/serving.js'
import { newDatabase, startPostgres, type PostgresServer } from '../postgres-server.mjs'
import { createDriver, type Coverage } from './api-calls.js'
import { answerOf, gateCalls } from './gate-calls.js'
import { ENDING_CALLS, makingCalls } from './good-calls.js'
import { findIn, hunted, type Hunted } from './guises.js'

const key = makeKey('HS256', 'searched')
const K = String(key.jwk['k'])
const TOKEN = `pcl_${createHash('sha256').update('the API token').digest('base64url')}`
const jwt = makeToken(key)

const upstream = createServer(({ url }, response) => {
  if (url?.startsWith('/broken')) response.destroy()
  else response.end('from upstream')
})
const folder = mkdtempSync(join(tmpdir(), 'portcullis-search-'))
let postgres: PostgresServer | undefined
beforeAll(() => new Promise<void>((done) => void upstream.listen(0, '127.0.0.1', () => done())))
afterAll(async () => {
  upstream.close()
  upstream.closeAllConnections()
  await postgres?.remove()
  rmSync(folder, { recursive: true, force: true })
})

/** Of a server of its own: its files are searched, and nothing else may be in them. */
async function newPostgres(): Promise<string> {
  postgres = await startPostgres()
  return newDatabase(postgres.url, 'searched')
}

/** All files below a folder that can be read. */
function filesIn(root: string): ReadonlyMap<string, Buffer> {
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
  return new Map(
    files
      .filter((file) => file.isFile())
      .map((file) => join(file.parentPath, file.name))
      .map((path) => [path, readFileSync(path)]),
  )
}

/** Every row of every table as text, and the files of the server. */
async function contentOf(database: string): Promise<ReadonlyMap<string, string | Buffer>> {
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      "select table_name as name from information_schema.tables where table_schema = 'public'",
    )
    const content = new Map<string, string | Buffer>()
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(`select t::text as row from "${name}" t`)
      content.set(`table ${name}`, rows.map(({ row }) => row).join('\n'))
    }
    await client.query('checkpoint')
    const { rows } = await client.query<{ data_directory: string }>('show data_directory')
    for (const file of filesIn(rows[0]!.data_directory)) content.set(...file)
    return content
  } finally {
    await client.end()
  }
}

/** Does everything that can be done with secrets, and looks for them in everything that came of it. */
export function searchForSecrets(kind: 'SQLite' | 'Postgres'): void {
  const data = join(folder, kind)
  /** Everything that came out, by where. */
  const heard = new Map<string, string>()
  const stored = new Map<string, string | Buffer>()
  let secrets: readonly Hunted[] = []
  let coverage: Coverage = new Map()
  let policy = ''

  beforeAll(async () => {
    const database = kind === 'SQLite' ? undefined : await newPostgres()
    const place = ['--data', data, ...(database ? ['--database', database] : [])]
    const serving = await startServing(data, ['--log-level', 'debug', ...place.slice(2)], {
      PORTCULLIS_API_TOKEN: TOKEN,
    })
    const base = `${serving.origin}/client/v4`
    const driver = await createDriver({ base, token: TOKEN, heard })
    const { ids } = driver
    coverage = driver.coverage
    const { port } = upstream.address() as AddressInfo
    const keys = [key.jwk, makeKey('ES256').jwk]
    for (const call of makingCalls(keys, `http://127.0.0.1:${port}`)) await driver.succeed(call)
    const told = [ids.get('token_text')!, ids.get('rolled_token_text')!]
    // Of what is said about a call the database takes no part.
    await driver.misuse(kind === 'SQLite' ? K : TOKEN)
    for (const path of ['/metrics', '/healthz', '/readyz', '/nowhere', `/metrics?k=${K}`])
      heard.set(`GET ${path.split('?')[0]}`, await (await fetch(serving.origin + path)).text())
    let count = 0
    for (const call of gateCalls('api.shop.example', [jwt, K, TOKEN]))
      heard.set(`answer ${++count} of the gate`, await answerOf(serving.gate, call))
    await driver.readAll()

    const gatePolicy = { place: '', method: 'GET', tells: true }
    const path = `/zones/${ids.get('zone_id')!}/gate/policy`
    policy = (await driver.send({ ...gatePolicy, path })).text
    await commands(place)
    // They have no part in a store.
    if (kind === 'SQLite') await commandsUponFiles()
    for (const call of ENDING_CALLS) await driver.succeed(call)
    await driver.succeed({ operation: 'GET /audit_log' })
    heard.set('GET /metrics at the end', await (await fetch(`${serving.origin}/metrics`)).text())
    for (const [name, content] of filesIn(data)) stored.set(`${name} while it runs`, content)
    const { code, out, err } = await stopServing(serving)
    expect(code).toBe(0)
    heard.set('standard output of serve', out).set('log of serve', err)
    if (database) for (const entry of await contentOf(database)) stored.set(...entry)
    for (const [name, content] of filesIn(data)) stored.set(name, content)

    const ring = readFileSync(join(data, 'secret.key'), 'utf8').trim().split('\n')
    secrets = [
      hunted('the HMAC key', K, Buffer.from(K, 'base64url')),
      hunted('the API token', TOKEN.slice(4), Buffer.from(TOKEN.slice(4), 'base64url')),
      ...told.map((text) => hunted('an API token', text.slice(4))),
      ...ring.map((text) => hunted('a key of the ring', text, Buffer.from(text, 'base64url'))),
      hunted('the token of a customer', jwt.split('.').slice(1).join('.')),
    ]
  }, 600_000)

  const inputs = join(folder, `${kind}-inputs`)
  mkdirSync(inputs)
  const file = (name: string, content: string): string => {
    writeFileSync(join(inputs, name), content)
    return join(inputs, name)
  }
  let commandCount = 0
  const run = async (...args: string[]) => {
    const command = `portcullis ${args.slice(0, 2).join(' ')} ${++commandCount}`
    const { out, err } = await runCli(args)
    heard.set(command, out + err)
  }

  /** The command line upon the same store. */
  async function commands(place: readonly string[]): Promise<void> {
    const zone = (JSON.parse(policy) as { readonly id: string }).id
    for (const json of [[], ['--json']]) {
      for (const what of ['token', 'zone']) await run(what, 'list', ...json, ...place)
      await run('token', 'revoke', K, ...place)
      for (const [at, text] of [
        `k: *${K}`,
        `{"k":"${K}"`,
        `k: "${K}`,
        `${K}: 1\n${K}: 2`,
      ].entries())
        await run(
          'operations',
          'import',
          file(`${at}.yaml`, text),
          '--zone',
          zone,
          ...json,
          ...place,
        )
    }
    await run('secrets', 'rotate', ...place)
    const backup = join(folder, `${kind}.backup`)
    await run('backup', backup, ...place)
    stored.set('the backup', readFileSync(backup))
    stored.set('what the backup packs', gunzipSync(readFileSync(backup)))
  }

  /** The command line with the policy in a file, whole and broken. */
  async function commandsUponFiles(): Promise<void> {
    const whole = file('policy.json', policy)
    const cut = policy.indexOf(K) + 20
    const policies = [
      policy,
      policy.slice(0, cut),
      `${policy.slice(0, cut)}\n${policy.slice(cut)}`,
      policy.replace(`"${K}"`, `"${K}`),
      policy.replace(`"${K}"`, K),
      policy.replace(K, `${K}=`),
      policy.replace(K, K.slice(0, 20)),
      policy.replace('"HS256"', `"${K}"`),
      policy.replace('"oct"', `"${K}"`),
      policy.replace('"expression":"', `"expression":"nope `),
      policy.replace('"action":"block"', `"action":"${K}"`),
    ]
    const url = `http://api.shop.example/orders/7?k=${K}`
    const asked = ['--token', jwt, '-H', `cookie: session=${K}`, '-H', `x: ${TOKEN}`, url]
    for (const [at, text] of policies.entries()) {
      const path = file(`${at}.json`, text)
      await Promise.all(
        [[], ['--json']].flatMap((json) => [
          run('check', path, ...json),
          run('explain', '--policy', path, ...asked, ...json),
        ]),
      )
    }
    const gate = startCli('gate', '--policy', whole, '--listen', '127.0.0.1:0', '--all', '--json')
    const done = ended(gate)
    const address = /http:\S+/.exec(await line(gate, /listens on/))?.[0] ?? ''
    for (const call of gateCalls('api.shop.example', [jwt, K]))
      heard.set(`answer ${heard.size} of a gate alone`, await answerOf(address, call))
    writeFileSync(whole, policies[2]!)
    await line(gate, /stays in force/)
    gate.kill('SIGTERM')
    const { out, err } = await done
    heard.set('what a gate alone prints', out + err)
  }

  test('every operation of the API was driven, well and badly', () => {
    const missing = [...coverage].filter(([, { good, bad }]) => good === 0 || bad === 0)
    expect(missing).toEqual([])
  })

  test('the policy for gates holds the key: the search would find it', () => {
    expect(findIn(new Map([['the policy', policy]]), secrets)).toEqual([
      'the HMAC key as it is in the policy',
    ])
  })

  test('no answer, page, log, metric or print holds a secret', () => {
    expect(findIn(heard, secrets)).toEqual([])
  })

  test('neither does anything that is stored, but for the file of the ring', () => {
    const others = secrets.filter(({ name }) => name !== 'a key of the ring')
    const files = new Map([...stored].filter(([name]) => !name.includes('secret.key')))
    expect(findIn(files, secrets)).toEqual([])
    expect(findIn(stored, others)).toEqual([])
  })
}
