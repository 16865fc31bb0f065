import type { Terminal } from './terminal.js'

/**
 * A way to print lines that writes those of one turn of the event loop together: each write costs a
 * call of the system, and wakes whoever reads. What waits when the process ends is written first.
 */
export function byTurns({ out }: Pick<Terminal, 'out'>): Terminal['out'] {
  let waiting: string[] = []
  const write = () => {
    if (waiting.length === 0) return
    const lines = waiting
    waiting = []
    out(lines.join('\n'))
  }
  process.on('exit', write)
  return (line) => {
    if (waiting.push(line) === 1) setImmediate(write)
  }
}
