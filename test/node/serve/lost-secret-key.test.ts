import { rmSync, writeFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { sealedStore } from '../cli/sealed-store.js'
import { startServing, stopServing } from './serving.js'

const store = await sealedStore()
afterAll(store.remove)

test('without the key that sealed its secrets a zone is not served, and the log says what to do', async () => {
  const opened = await store.open()
  await store.addConfiguration(opened)
  await opened.close()
  const key = store.keys().join('\n')
  rmSync(store.keyFile)
  const without = await startServing(store.data)
  expect((await fetch(`${without.origin}/readyz`)).status).toBe(503)
  const { err } = await stopServing(without)
  expect(err).toMatch(
    /"msg":"sealed with the key [0-9a-f]{8}, which is not in the ring: put back the secret\.key /,
  )
  expect(err).not.toMatch(/"stack"|does not answer/)

  writeFileSync(store.keyFile, `${key}\n`, { mode: 0o600 })
  const serving = await startServing(store.data)
  expect((await fetch(`${serving.origin}/readyz`)).status).toBe(200)
  await stopServing(serving)
})
