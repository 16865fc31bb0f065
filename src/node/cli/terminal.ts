import { styleText } from 'node:util'
import type { PrintTo } from '../workers/index.js'

type Style = Parameters<typeof styleText>[0]

/** Where a command writes, and whether it may use colour there. */
export interface Terminal {
  out(line: string): void
  err(line: string): void
  paint(style: Style, text: string): string
  /** Whether `paint` does anything. */
  readonly colour: boolean
  /** What is under it, for what other processes print. */
  readonly streams: PrintTo
}

/** What `paint` of a terminal is, with colour or without. */
export const painter =
  (colour: boolean): Terminal['paint'] =>
  (style, text) =>
    colour ? styleText(style, text, { validateStream: false }) : text

/** The process's own streams; colour only for a terminal, and never with NO_COLOR set. */
export function processTerminal(): Terminal {
  const { stdout, stderr, env } = process
  // Whoever read the output may have heard enough (`| head`): no reason to fall over.
  for (const stream of [stdout, stderr]) stream.on('error', () => undefined)
  const colour =
    env['FORCE_COLOR'] !== undefined
      ? env['FORCE_COLOR'] !== '0'
      : stdout.isTTY === true && env['NO_COLOR'] === undefined && env['TERM'] !== 'dumb'
  return {
    out: (line) => void stdout.write(`${line}\n`),
    err: (line) => void stderr.write(`${line}\n`),
    paint: painter(colour),
    colour,
    streams: { stdout, stderr },
  }
}

/** Standard output is for decisions; what a gate says about itself goes to standard error. */
export const onStderr = (terminal: Terminal): Terminal => ({ ...terminal, out: terminal.err })

/** Text of strangers made safe for a terminal: control and other invisible characters escaped. */
export function printable(text: string): string {
  return text.replace(/[^\x20-\x7e\u00a1-\u00ac\u00ae-\u1fff]/g, (char) =>
    char.charCodeAt(0) <= 0xff
      ? `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`
      : `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
