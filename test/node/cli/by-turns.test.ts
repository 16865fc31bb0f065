import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { byTurns } from '../../../src/node/cli/by-turns.js'

function printing() {
  const before = new Set(process.listeners('exit'))
  const written: string[] = []
  const print = byTurns({ out: (text) => void written.push(text) })
  const [atExit] = process.listeners('exit').filter((listener) => !before.has(listener))
  return { written, print, atExit }
}

test('lines of one turn are written together, in their order', async () => {
  const { written, print } = printing()
  print('a')
  print('b')
  await turn()
  print('c')
  await turn()
  await turn()
  expect(written).toEqual(['a\nb', 'c'])
})

test('a line that waits when the process ends is written first, and once', async () => {
  const { written, print, atExit } = printing()
  print('a')
  atExit?.(0)
  await turn()
  expect(written).toEqual(['a'])
})
