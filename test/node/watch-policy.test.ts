import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { watchPolicy } from '../../src/node/watch-policy.js'

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'watch-'))
  onTestFinished(() => rmSync(made, { recursive: true }))
  return made
}

/** How often a change of the file was told. */
function watching(path: string): () => number {
  let told = 0
  onTestFinished(watchPolicy(path, () => void told++))
  return () => told
}

const patient = { timeout: 5000 }

test('a file is heard of though another one beside it is written all the time', async () => {
  const here = folder()
  const file = join(here, 'policy.json')
  writeFileSync(file, 'one')
  const told = watching(file)
  const writing = setInterval(() => appendFileSync(join(here, 'gate.log'), 'a line\n'), 10)
  onTestFinished(() => clearInterval(writing))
  writeFileSync(file, 'another')
  await expect.poll(told, patient).toBe(1)
})

test('a file that is written in steps is told of once, after the last of them', async () => {
  const file = join(folder(), 'policy.json')
  writeFileSync(file, '')
  const told = watching(file)
  for (let step = 0; step < 20; step++) {
    appendFileSync(file, 'a line\n')
    await delay(20)
    expect(told()).toBe(0)
  }
  await expect.poll(told, patient).toBe(1)
})

test('a file is heard of when the link to its folder leads to another one', async () => {
  const here = folder()
  for (const release of ['one', 'two']) {
    mkdirSync(join(here, release))
    writeFileSync(join(here, release, 'policy.json'), release)
  }
  symlinkSync('one', join(here, 'current'))
  const told = watching(join(here, 'current', 'policy.json'))
  symlinkSync('two', join(here, 'next'))
  renameSync(join(here, 'next'), join(here, 'current'))
  await expect.poll(told, patient).toBe(1)
})

test('a file is heard of when the one that it links to is written', async () => {
  const [here, elsewhere] = [folder(), folder()]
  writeFileSync(join(elsewhere, 'shared.json'), 'one')
  symlinkSync(join(elsewhere, 'shared.json'), join(here, 'policy.json'))
  const told = watching(join(here, 'policy.json'))
  writeFileSync(join(elsewhere, 'shared.json'), 'another')
  await expect.poll(told, patient).toBe(1)
})

test('a file is heard of when its folder is made again', async () => {
  const here = join(folder(), 'here')
  const file = join(here, 'policy.json')
  mkdirSync(here)
  writeFileSync(file, 'one')
  const told = watching(file)
  rmSync(here, { recursive: true })
  await expect.poll(told, patient).toBe(1)
  mkdirSync(here)
  writeFileSync(file, 'one')
  await expect.poll(told, patient).toBe(2)
})

test('a file is heard of in a folder that the system does not watch', async () => {
  const later = join(folder(), 'later')
  const file = join(later, 'policy.json')
  const told = watching(file)
  mkdirSync(later)
  writeFileSync(file, 'one')
  await expect.poll(told, patient).toBe(1)
})
