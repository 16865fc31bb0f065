import { createReadStream } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { UsageError, type Command, type ExitCode } from './command.js'
import { parseOptions } from './parse-options.js'
import { withAnyStore } from './store-calls.js'
import { STORE_HELP, STORE_OPTIONS, storePlace } from './store-options.js'

/** `portcullis restore`: a backup into an empty store. */
export const restore: Command = {
  name: 'restore',
  summary: 'put a backup into an empty store',
  help: `Usage: portcullis restore FILE --data DIR|--database URL

Puts what \`portcullis backup\` wrote into a store that is empty: all of it, or nothing. The
secret.key of the store that was backed up has to be in DIR (or in PORTCULLIS_SECRET_KEY) first.

${STORE_HELP}

Exit code: 0 done, 1 the backup or the store is refused, 2 usage.`,

  async run(args, terminal): Promise<ExitCode> {
    const { values, positionals } = parseOptions(args, STORE_OPTIONS)
    const [file, ...more] = positionals
    if (file === undefined) throw new UsageError('expected a file')
    if (more.length > 0) throw new UsageError(`unexpected '${more[0]}'`)
    return withAnyStore(storePlace(values), terminal, async (_, management) => {
      const rows = await management.restore(linesOf(file))
      terminal.out(`${rows} rows are restored`)
    })
  },
}

const DAMAGED: ReadonlyMap<unknown, string> = new Map([
  ['Z_DATA_ERROR', 'is no backup of `portcullis backup`, or is damaged'],
  ['Z_BUF_ERROR', 'is cut off: it does not have all of the backup'],
])

async function* linesOf(file: string): AsyncGenerator<string> {
  const source = createReadStream(file)
  const gunzip = createGunzip()
  // A stream that is piped from hands its own failure to nobody.
  source.on('error', (cause) => gunzip.destroy(cause))
  try {
    yield* linesIn(source.pipe(gunzip).setEncoding('utf8'))
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    const damaged = DAMAGED.get(code)
    if (damaged === undefined) throw cause
    throw new Error(`${file} ${damaged} (${message})`, { cause })
  }
}

async function* linesIn(pieces: AsyncIterable<unknown>): AsyncGenerator<string> {
  let rest = ''
  for await (const piece of pieces) {
    const lines = (rest + String(piece)).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}
