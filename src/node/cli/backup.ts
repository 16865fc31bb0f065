import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { finished } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Store } from '../store/index.js'
import { UsageError, type Command, type ExitCode } from './command.js'
import { parseOptions } from './parse-options.js'
import { withStore } from './store-calls.js'
import { STORE_HELP, STORE_OPTIONS, storePlace } from './store-options.js'

/** `portcullis backup`: all of a store in one file. */
export const backup: Command = {
  name: 'backup',
  summary: 'write all of a store into one file',
  help: `Usage: portcullis backup FILE --data DIR|--database URL

Writes everything in the store into one file (JSON lines, gzip, mode 0600), all of one moment.
Nothing has to be stopped; changes of a store on SQLite wait until it is done. The file appears
whole or not at all. Secrets are in it sealed only: keep DIR/secret.key too, at another place, or
nobody opens them again. A backup of SQLite is restored into Postgres as well, and the other way
round.

${STORE_HELP}

Exit code: 0 done, 1 the store or the file cannot be used, 2 usage.`,

  async run(args, terminal): Promise<ExitCode> {
    const { values, positionals } = parseOptions(args, STORE_OPTIONS)
    const [file, ...more] = positionals
    if (file === undefined) throw new UsageError('expected a file')
    if (more.length > 0) throw new UsageError(`unexpected '${more[0]}'`)
    return withStore(storePlace(values), terminal, async (_, management) => {
      const rows = await writeWhole(file, management)
      terminal.out(`${rows} rows are in ${file}`)
    })
  },
}

async function writeWhole(file: string, management: Store['management']): Promise<number> {
  const next = `${file}.${randomBytes(6).toString('hex')}.new`
  try {
    const gzip = createGzip()
    const sink = gzip.pipe(createWriteStream(next, { flags: 'wx', mode: 0o600 }))
    const done = finished(sink)
    const rows = await Promise.race([
      management.backup(async (line) => {
        if (!gzip.write(`${line}\n`)) await once(gzip, 'drain')
      }),
      // A disk that is full ends it, and never waits for a drain.
      done.then(() => Promise.reject(new Error('the file ended early'))),
    ])
    gzip.end()
    await done
    const handle = await open(next, 'r')
    await handle.sync()
    await handle.close()
    await rename(next, file)
    return rows
  } catch (cause) {
    await rm(next, { force: true })
    throw cause
  }
}
