import { expect, test } from 'vitest'
import { httpServer } from '../../src/node/http-listener.js'

test('a request may take as long as it likes, its head may not', () => {
  expect(httpServer()).toMatchObject({ requestTimeout: 0, headersTimeout: 60_000 })
})
