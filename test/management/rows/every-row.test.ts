import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { SPEC_ROWS } from './spec-rows.js'

const SPEC = new URL('../../../../shared/spec/edge-platform-api.md', import.meta.url)
const FOLDER = new URL('./', import.meta.url)
const ZONE_PATH = '/zones/{zone_id}/token_validation/'

const sources = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.ts') && !['spec-rows.ts', 'every-row.test.ts'].includes(name))
  .map((name) => readFileSync(new URL(name, FOLDER), 'utf8'))
  .join('\n')

const rows = Object.entries(SPEC_ROWS).flatMap(([part, names]) =>
  names.map((name) => `${part} ${name}`),
)
const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')

test.each(rows)('%s has a test that names it', (row) => {
  expect(sources).toMatch(new RegExp(`[^\\w.]${escaped(row)}(?:['"\`,:]| and )`))
})

/** Cells of the tables of a part of the specification, without their heads. */
function cellsOf(part: string): readonly (readonly string[])[] {
  const text = readFileSync(SPEC, 'utf8')
  const [, rest = ''] = text.split(`### ${part} `)
  const [body = ''] = rest.split(/\n###? /)
  const tables = body.split('\n').map((line) => (line.startsWith('|') ? line : ''))
  return tables
    .filter((line, at) => line !== '' && !isHead(tables, at))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
}

const isRule = (line = ''): boolean => /^[|-]+$/.test(line)
const isHead = (lines: readonly string[], at: number): boolean =>
  isRule(lines[at]) || isRule(lines[at + 1])

/** Names between backticks at the start of each item of a list, such as `` `title` string ``. */
const namesIn = (cell: string): readonly string[] =>
  [...cell.matchAll(/`([a-z_]+)`(?= (?:object|string|array|boolean|number|\(`|`)|, `|$)/g)].map(
    ([, name]) => name!,
  )

describe.skipIf(!existsSync(SPEC))('the rows are those of the specification, of part', () => {
  const firstCells = (part: string) => cellsOf(part).map(([first]) => first)

  test('2.1', () => {
    const members = SPEC_ROWS['2.1'].filter((name) => !name.startsWith('result_info'))
    expect(members.map((name) => name.replace('message.', ''))).toEqual(firstCells('2.1'))
    const text = readFileSync(SPEC, 'utf8')
    for (const name of SPEC_ROWS['2.1'].filter((row) => row.startsWith('result_info')))
      expect(text).toContain(`\`${name.replace('result_info.', '')}\``)
  })

  test.each(['2.2', '2.4'] as const)('%s', (part) => {
    expect(SPEC_ROWS[part]).toEqual(firstCells(part))
  })

  test('2.3', () => {
    expect(SPEC_ROWS['2.3'].slice(0, -1)).toEqual(firstCells('2.3'))
  })

  test('4.1', () => {
    const calls = cellsOf('4.1').map(([method, path, request = '']) => ({
      call: `${method} ${path?.replace(ZONE_PATH, '')}`,
      names: namesIn(request.split(/: (.*)/)[1] ?? ''),
      isQuery: request.startsWith('query'),
    }))
    for (const { call, names, isQuery } of calls) {
      expect(SPEC_ROWS['4.1']).toContain(call)
      for (const name of names.filter((one) => !['config_id', 'keys'].includes(one)))
        expect(SPEC_ROWS['4.1']).toContain(`${call} ${isQuery ? '?' : ''}${name}`)
    }
    const filters = calls.find(({ call }) => call === 'GET rules')?.names
    expect(filters).toHaveLength(9)
  })
})
