import { once } from 'node:events'
import { expect, test, vi } from 'vitest'
import { Turnstile } from '../../../src/node/proxy/turnstile.js'
import { fetchFrom, rawUpstream, stage, upstream } from './stage.js'

test('when a zone moves, requests go to the new origin and the old one’s connections close', async () => {
  let closed: Promise<unknown> | undefined
  const before = await rawUpstream((socket) => {
    closed = once(socket, 'close')
    socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nold'))
  })
  const after = await upstream((_request, response) => response.end('new'))
  let current = before
  const { port } = await stage(undefined, { upstream: () => current })
  expect((await fetchFrom(port)).body).toBe('old')
  current = after
  expect((await fetchFrom(port)).body).toBe('new')
  await closed
})

test('requests under way and in the queue are answered by the origin they were sent to', async () => {
  const before = await upstream(
    (_request, response) => void setTimeout(() => response.end('old'), 100),
  )
  const after = await upstream((_request, response) => response.end('new'))
  let current = before
  const { port } = await stage(undefined, { upstream: () => current, connections: 1 })
  const [first, second] = [fetchFrom(port), fetchFrom(port)]
  await new Promise((resolve) => setTimeout(resolve, 50))
  current = after
  expect((await fetchFrom(port)).body).toBe('new')
  expect([(await first).body, (await second).body]).toEqual(['old', 'old'])
})

test('a turnstile lets so many in, then one for each that leaves, in order, but those who gave up', () => {
  const admitted: string[] = []
  const visitor = (name: string) => ({
    admitted: () => void admitted.push(name),
    turnedAway: () => expect.unreachable(name),
  })
  const [one, two, three] = [visitor('one'), visitor('two'), visitor('three')]
  const turnstile = new Turnstile(1, 1_000)
  expect(turnstile.enter(visitor('zero'))).toBe(true)
  for (const each of [one, two, three]) expect(turnstile.enter(each)).toBe(false)
  turnstile.giveUp(one)
  turnstile.leave()
  expect(admitted).toEqual(['two'])
  turnstile.leave()
  turnstile.leave()
  expect(admitted).toEqual(['two', 'three'])
  expect(turnstile.enter(visitor('four'))).toBe(true)
})

test('who waits at a turnstile for too long is turned away, and nobody else', () => {
  vi.useFakeTimers()
  const told: string[] = []
  const visitor = (name: string) => ({
    admitted: () => void told.push(`${name} in`),
    turnedAway: () => void told.push(`${name} away`),
  })
  const [one, two, three] = [visitor('one'), visitor('two'), visitor('three')]
  const turnstile = new Turnstile(1, 100)
  turnstile.enter(visitor('zero'))
  turnstile.enter(one)
  vi.advanceTimersByTime(60)
  turnstile.enter(two)
  vi.advanceTimersByTime(39)
  expect(told).toEqual([])
  vi.advanceTimersByTime(1)
  expect(told).toEqual(['one away'])
  turnstile.leave()
  turnstile.enter(three)
  turnstile.giveUp(three)
  vi.advanceTimersByTime(1_000)
  expect(told).toEqual(['one away', 'two in'])
  vi.useRealTimers()
})
