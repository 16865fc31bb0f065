import { expect } from 'vitest'

/** What each `Accept` must be answered with. */
export const FORMS: readonly (readonly [
  accept: string | undefined,
  type: string,
  start: RegExp,
])[] = [
  [undefined, 'text/html', /^<!doctype html>/i],
  ['text/html', 'text/html', /^<!doctype html>/i],
  ['application/json', 'application/json', /^\{"type":/],
  ['application/problem+json', 'application/problem+json', /^\{"type":/],
  ['text/markdown', 'text/markdown', /^---\n/],
  ['text/*', 'text/markdown', /^---\n/],
]

export interface Answer {
  readonly status: number
  readonly body: string
  header(name: string): string | null
}

/** The refusal of a request without a token, in the form of this media type. */
export function expectRefusal(answer: Answer, type: string, start: RegExp): void {
  expect(answer.status).toBe(401)
  expect(answer.header('content-type')).toBe(`${type}; charset=utf-8`)
  expect(answer.header('www-authenticate')).toBe('Bearer realm="example.com"')
  expect(answer.header('cache-control')).toContain('no-store')
  expect(answer.header('vary')).toBe('Accept')
  expect(answer.header('cf-ray')).toMatch(/^[0-9a-f]{16}$/)
  expect(answer.header('content-length')).toBe(String(Buffer.byteLength(answer.body)))
  expect(answer.body).toMatch(start)
  expect(answer.body).toContain('1020')
  expect(answer.body).toContain(answer.header('cf-ray'))
}
