import { expect, test } from 'vitest'
import { exposition } from '../../../src/node/serve/metrics.js'
import { createCounter } from '../../../src/node/workers/index.js'

test('a counter counts each set of values on its own', () => {
  const counter = createCounter()
  counter.add('a', 'b')
  counter.add('a', 'b')
  counter.add('a\n', 'b')
  expect(counter.samples()).toEqual([
    [['a', 'b'], 2],
    [['a\n', 'b'], 1],
  ])
})

test('metrics are shown in the text format, label values escaped', () => {
  const samples = [[['a"b\\c\nd', ''], 1.5] as const]
  const shown = exposition([
    { name: 'one_total', kind: 'counter', help: 'One.', labels: ['x', 'y'], samples },
    { name: 'two', kind: 'gauge', help: 'Two.', samples: [[[], 2]] },
  ])
  expect(shown).toBe(
    '# HELP one_total One.\n# TYPE one_total counter\none_total{x="a\\"b\\\\c\\nd",y=""} 1.5\n' +
      '# HELP two Two.\n# TYPE two gauge\ntwo 2\n',
  )
})
