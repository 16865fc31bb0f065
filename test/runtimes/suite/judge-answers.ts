import { catalogue, negotiate, render } from '../../../src/edge/problem/index.js'
import type { Input } from './input.js'
import type { Line } from './judge-tokens.js'

const FORMS = ['text/html', 'application/json', 'application/problem+json', 'text/markdown']

/** The representation that each Accept header selects, and every error in every form. */
export function* judgeAnswers({ accepts }: Input): Generator<Line> {
  for (const { id, accept } of accepts) yield [id, negotiate(accept)]
  const random = (): Uint8Array => new Uint8Array(8).fill(7)
  for (const code of catalogue.keys()) {
    for (const form of FORMS) {
      const answer = render(code, form, { zone: 'example.com', now: 1_700_000_000_000, random })
      yield [`answer/${code}/${form}`, JSON.stringify(answer)]
    }
  }
}
