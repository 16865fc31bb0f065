import { fork } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startCrew, type WorkerEvent } from '../../../src/node/workers/crew.js'

const folder = mkdtempSync(join(tmpdir(), 'portcullis-crew-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The second of its kind ends when it is handed a policy. */
const SECOND_ENDS = `
  process.on('disconnect', () => process.exit())
  process.on('message', ({ id, task }) => {
    if (task === 'put' && process.argv[2] === '2') process.exit(3)
    process.send({ id, answer: task === 'listen' ? 'http://here' : [] }, () => {
      if (task === 'close') process.exit()
    })
  })
  process.send({ id: 0, answer: null })
`

test('one that ends while it takes the policy in force is replaced by another', async () => {
  const file = join(folder, 'worker.cjs')
  writeFileSync(file, SECOND_ENDS)
  const events: WorkerEvent[] = []
  const policy = { id: 'z', name: 'example.com' }
  let forked = 0
  let asked = 0
  const crew = await startCrew({
    workers: 1,
    fork: () => fork(file, [String(++forked)], { execArgv: [] }),
    orders: { place: { listen: { fd: 4 } }, voice: null },
    // Who asks for it again and again leaves no time for anything else.
    policy: () => (++asked < 100 ? policy : undefined),
    heard: () => {},
    onEvent: (event) => events.push(event),
    now: () => 0,
    pause: async () => {},
  })
  await crew.listen()
  for (const { link } of crew.members) link.kill()
  await expect.poll(() => forked, { timeout: 20_000 }).toBe(3)
  await expect.poll(() => [...crew.ready].length, { timeout: 20_000 }).toBe(1)
  expect(asked).toBeLessThan(10)
  expect(events.map((event) => (event.kind === 'ended' ? event.how : event.kind))).toEqual([
    'started',
    'SIGKILL',
    'exit code 3',
    'started',
  ])
  await crew.close(0)
})
