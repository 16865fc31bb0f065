import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { followPolicy } from '../../src/node/follow-policy.js'
import type { FollowOptions, PolicySource } from '../../src/node/policy-source.js'

const URL_OF_POLICY = 'https://management.test/client/v4/zones/z/gate/policy'

let folder: string
let following: PolicySource | undefined
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'portcullis-source-'))
})
afterEach(async () => {
  await following?.stop()
  following = undefined
  rmSync(folder, { recursive: true, force: true })
})

/** A management that knows no events: what it answers to the calls for the policy, in order. */
function follow(answers: readonly (() => Response)[], options: Partial<FollowOptions> = {}) {
  const asked: RequestInit[] = []
  const reports: Record<string, unknown>[] = []
  const applied: unknown[] = []
  const states: unknown[] = []
  let at = 0
  const fake: typeof fetch = async (address, init = {}) => {
    const path = String(address)
    if (path.endsWith('/events')) return new Response('', { status: 503 })
    if (path.endsWith('/instances')) {
      reports.push(JSON.parse(String(init.body)))
      return new Response('{}')
    }
    asked.push(init)
    return answers[Math.min(at++, answers.length - 1)]!()
  }
  const source = followPolicy({
    url: URL_OF_POLICY,
    token: 'secret-token',
    cacheDir: folder,
    instance: 'gate',
    onPolicy: (policy, { version, from }) => applied.push([policy, version, from]),
    onState: (state) => states.push(state),
    pollMs: 5,
    random: () => 0.5,
    fetch: fake,
    ...options,
  })
  following = source
  return { asked, reports, applied, states, source }
}

const policy = (version: number, body: unknown = { id: 'z', version }) =>
  () => Response.json(body, { headers: { etag: `"hash-${version}"`, 'x-policy-version': `${version}` } }) // prettier-ignore
const unchanged =
  (version: number, hash = version) =>
  () =>
    new Response(null, {
      status: 304,
      headers: { etag: `"hash-${hash}"`, 'x-policy-version': `${version}` },
    })

async function until(holds: () => boolean): Promise<void> {
  for (let round = 0; round < 1000 && !holds(); round++)
    await new Promise((resolve) => setTimeout(resolve, 5))
  expect(holds()).toBe(true)
}

describe('following a policy', () => {
  test('a key in vain is told of again after a minute, though the clock is put back meanwhile', async () => {
    const told: unknown[] = []
    const [clock, time] = [{ is: 1e12 }, { is: 0 }]
    const { source } = follow([policy(1)], {
      now: () => clock.is,
      elapsed: () => time.is,
      async fetch(address, init) {
        if (init?.method !== 'POST') return new Response('', { status: 503 })
        told.push(JSON.parse(String(init.body)), String(address).split('/').at(-1))
        return new Response('{}')
      },
    })
    const hear = () =>
      source.unknownKeys({ configuration_id: 'c', keys: [{ alg: 'ES256', kid: 'a' }] })
    hear()
    await until(() => told.length === 2)
    clock.is -= 3_600_000
    time.is += 60_000
    hear()
    await until(() => told.length === 4)
    expect(told.slice(2)).toEqual(told.slice(0, 2))
  })

  test('asks now and then even where no event comes, and names what it has', async () => {
    const { applied, asked, states, reports } = follow([policy(1), unchanged(1), policy(2)])
    await until(() => reports.some(({ version }) => version === 2))
    expect(applied).toEqual([
      [{ id: 'z' }, 1, 'management'],
      [{ id: 'z' }, 2, 'management'],
    ])
    expect(asked[0]).toMatchObject({ redirect: 'error' })
    expect(asked.slice(0, 2).map(({ headers }) => headers)).toEqual([
      { accept: 'application/json', authorization: 'Bearer secret-token' },
      {
        accept: 'application/json',
        authorization: 'Bearer secret-token',
        'if-none-match': '"hash-1"',
      },
    ])
    expect(states).toEqual([{ connected: true }])
  })

  test('a policy that cannot be applied is refused once, and not fetched again', async () => {
    const refused: unknown[] = []
    const { asked, reports, source } = follow([policy(1), policy(2), unchanged(2)], {
      onPolicy(_, { version }) {
        if (version === 2) throw new Error('does not fit')
      },
      onRefused: ({ version, code, message }) => refused.push([version, code, message]),
    })
    await until(() => asked.length > 4 && reports.length > 3)
    expect(refused).toEqual([[2, 'not_applied', 'does not fit']])
    expect(source.running).toMatchObject({ version: 1 })
    expect(asked[4]?.headers).toMatchObject({ 'if-none-match': '"hash-1", "hash-2"' })
    expect(reports.at(-1)).toMatchObject({
      instance: 'gate',
      version: 1,
      hash: 'hash-1',
      refused: { version: 2, code: 'not_applied', message: 'does not fit', pointer: '' },
    })
  })

  test('a rollback to what runs here is a new version of the same policy', async () => {
    const numbers: number[] = []
    const { applied, asked, source } = follow([policy(1), unchanged(3, 1)], {
      onVersion: ({ version }) => numbers.push(version),
    })
    await until(() => source.running?.version === 3 && asked.length > 3)
    expect(applied).toHaveLength(1)
    expect(numbers).toEqual([3])
  })

  test.each<[string, () => Response, object]>([
    ['another page', () => new Response('<html>'), { problem: /no version/ }],
    ['no JSON', () => new Response('{"k":"secr', policy(1)()), { problem: /no object/ }],
    ['a list', policy(2, null), { problem: /no object/ }],
    ['a refusal', () => new Response('', { status: 403 }), { status: 403, problem: /403/ }],
    ['no network', () => { throw new TypeError('fetch failed', { cause: new Error('no route') }) }, { problem: /no route/ }], // prettier-ignore
  ])('%s leaves the policy in force, and is told of once', async (_, answer, { ...expected }) => {
    const { asked, applied, states, source } = follow([policy(1), answer])
    await until(() => asked.length > 4)
    expect(applied).toHaveLength(1)
    expect(source.running).toMatchObject({ version: 1 })
    const { problem, ...rest } = expected as { problem: RegExp }
    expect(states).toEqual([
      { connected: true },
      { connected: false, problem: expect.stringMatching(problem), ...rest },
    ])
    expect(JSON.stringify(states)).not.toMatch(/secr/)
  })

  test('the last good policy is there for the next start, as long as management is away', async () => {
    const first = follow([policy(1), policy(2, { id: 'bad', version: 2 })], {
      onPolicy(given) {
        if ((given as { id: string }).id === 'bad') throw new Error('no')
      },
    })
    await until(() => first.source.refused !== undefined)
    await first.source.stop()
    const away = () => new Response('', { status: 502 })
    const { applied, source, states } = follow([away, away, policy(3)])
    await source.ready
    expect(applied[0]).toEqual([{ id: 'z' }, 1, 'disk'])
    await until(() => source.running?.version === 3 && states.length === 2)
    expect(states).toMatchObject([{ connected: false, status: 502 }, { connected: true }])
  })

  test('a policy that the disk has no room for is kept once there is some', async () => {
    const noFolder = join(folder, 'state')
    writeFileSync(noFolder, '')
    const { asked, applied, states } = follow([policy(1), unchanged(1)], { cacheDir: noFolder })
    await until(() => asked.length > 2 && states.length > 0)
    expect(states).toEqual([{ connected: true, problem: expect.stringContaining(noFolder) }])
    rmSync(noFolder)
    await until(() => !Object.hasOwn(states.at(-1) as object, 'problem'))
    const [name = ''] = readdirSync(noFolder)
    expect(JSON.parse(readFileSync(join(noFolder, name), 'utf8'))).toMatchObject({ version: 1 })
    expect(applied).toHaveLength(1)
  })

  test('the last good policy stands in for one that is refused, which is told of once', async () => {
    const first = follow([policy(1)])
    await first.source.ready
    await until(() => first.reports.length > 0)
    await first.source.stop()
    const refused: unknown[] = []
    const { asked, reports, source } = follow([policy(2), unchanged(2)], {
      onPolicy(_, { version }) {
        if (version === 2) throw new Error('does not fit')
      },
      onRefused: ({ version }) => refused.push(version),
    })
    await until(() => asked.length > 2 && reports.length > 2)
    expect(source.running).toMatchObject({ version: 1 })
    expect(refused).toEqual([2])
    expect(asked[1]?.headers).toMatchObject({ 'if-none-match': '"hash-1", "hash-2"' })
    for (const report of reports)
      expect(report).toMatchObject({ version: 1, refused: { version: 2 } })
  })

  test('management that comes back is asked at once, though it names the version that runs', async () => {
    const answers = [
      policy(1),
      () => new Response('', { status: 502 }),
      policy(1, { id: 'restored' }),
    ]
    let [asked, opened] = [0, 0]
    const events = () => {
      const body = new ReadableStream<Uint8Array>({
        start(stream) {
          stream.enqueue(new TextEncoder().encode('id: 1\n\n'))
          if (++opened === 1) stream.close()
        },
      })
      return new Response(body)
    }
    let begin: (() => void) | undefined
    const begun = new Promise<void>((resolve) => (begin = resolve))
    const { applied } = follow([], {
      pollMs: 60_000,
      onState: () => begin?.(),
      async fetch(address) {
        if (String(address).endsWith('/instances')) return new Response('{}')
        if (!String(address).endsWith('/events')) return answers[Math.min(asked++, 2)]!()
        // Not before the first policy is there.
        await begun
        return events()
      },
    })
    await until(() => applied.length === 2)
    expect(applied.at(-1)).toEqual([{ id: 'restored' }, 1, 'management'])
  })

  test('stops at once, whatever is under way', async () => {
    const never = () => new Promise<Response>(() => {})
    const { source } = follow([], { fetch: never as typeof fetch })
    await source.stop()
  })
})
