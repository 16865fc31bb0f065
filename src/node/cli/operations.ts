import { readFile, stat } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { UsageError, type Command, type ExitCode } from './command.js'
import { parseOptions } from './parse-options.js'
import { printIssue } from './policy-report.js'
import { withStore } from './store-calls.js'
import { STORE_HELP, STORE_OPTIONS, storePlace } from './store-options.js'

/** More than any API has; reading it takes seconds. */
const MAX_BYTES = 16_000_000

/** `portcullis operations`: operations out of OpenAPI documents. */
export const operations: Command = {
  name: 'operations',
  summary: 'import the operations of an OpenAPI document',
  help: `Usage: portcullis operations import FILE --zone ID --data DIR [--json]

Adds every operation of an OpenAPI 3 document (JSON or YAML) to a zone: all of them, or none when
the document is refused. What is there already stays as it is. What has to be left out (servers
outside of the zone, variables that are part of a segment) is told with its place in the document.
\`-\` reads standard input.

${STORE_HELP}
  --zone ID            zone that the operations are added to
  --json               print one JSON object: { operations, added, warnings } or { errors }

Exit code: 0 done, 1 the document is refused or the store does not open, 2 usage.`,

  async run(args, terminal): Promise<ExitCode> {
    const { values, positionals } = parseOptions(args, {
      ...STORE_OPTIONS,
      zone: { type: 'string' },
      json: { type: 'boolean' },
    })
    const [action, file, ...more] = positionals
    const { zone, json } = values
    if (action !== 'import') throw new UsageError('expected import FILE')
    if (file === undefined) throw new UsageError('expected a file')
    if (more.length > 0) throw new UsageError(`unexpected '${more[0]}'`)
    if (zone === undefined) throw new UsageError('expected --zone ID')
    return withStore(storePlace(values), terminal, async (_, management) => {
      const result = await management.importOperations(zone, await readDocument(file))
      const refused = 'errors' in result
      if (json) terminal.out(JSON.stringify(result))
      else {
        for (const { code, message, source } of refused ? result.errors : result.warnings) {
          const issue = { code: String(code), message, pointer: source?.pointer ?? '' }
          printIssue(terminal, file, refused ? 'error' : 'notice', issue)
        }
        if (!refused) {
          const { added, operations: all } = result
          terminal.out(`${added} operations added, ${all.length - added} were there already`)
        }
      }
      return refused ? 1 : 0
    })
  },
}

async function readDocument(file: string): Promise<string> {
  if (file === '-') return text(process.stdin)
  const { size } = await stat(file)
  if (size > MAX_BYTES) throw new Error(`${file} has more than ${MAX_BYTES} bytes`)
  return readFile(file, 'utf8')
}
