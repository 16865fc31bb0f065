import { tableOf } from './columns.mjs'

/** Prints rows under a title, numbers to the right. */
export function printRows(title, rows) {
  const { head, body } = tableOf(rows)
  const widths = head.map((_, at) => Math.max(...[head, ...body].map((cells) => cells[at].length)))
  console.log(`\n${title}`)
  for (const [name, ...numbers] of [head, ...body])
    console.log(
      [name.padEnd(widths[0]), ...numbers.map((text, at) => text.padStart(widths[at + 1]))].join(
        '  ',
      ),
    )
}
