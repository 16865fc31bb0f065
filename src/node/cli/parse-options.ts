import { parseArgs, type ParseArgsConfig } from 'node:util'
import { UsageError } from './command.js'

/**
 * Reads a command's options strictly.
 * @throws {UsageError} for an unknown option or one without its value.
 */
export function parseOptions<Options extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true })
  } catch (cause) {
    throw new UsageError((cause as Error).message)
  }
}
