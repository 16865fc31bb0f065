import { join } from 'node:path'
import { UsageError, type Command, type ExitCode } from './command.js'
import { parseOptions } from './parse-options.js'
import { withStore } from './store-calls.js'
import { STORE_HELP, STORE_OPTIONS, storePlace } from './store-options.js'

/** `portcullis secrets`: the key that seals secrets. */
export const secrets: Command = {
  name: 'secrets',
  summary: 'rotate the key that seals the secrets of a store',
  help: `Usage: portcullis secrets rotate --data DIR [--database URL]

Makes a new key, puts it in front of those in DIR/secret.key and seals every secret anew with it.
Nothing has to be stopped: a running \`portcullis serve\` with the same DIR finds the new key when it
meets a secret that it cannot open. Older keys stay in the file: backups need them, and so does a
running process, which seals with the key that it began with until it is restarted.

With PORTCULLIS_SECRET_KEY set no key is made: put the new one in front of the old one there,
separated by a comma, restart every process with it, and then run this.

${STORE_HELP}

Exit code: 0 done, 1 the store or a key cannot be used, 2 usage.`,

  async run(args, terminal): Promise<ExitCode> {
    const { values, positionals } = parseOptions(args, STORE_OPTIONS)
    const [action, ...more] = positionals
    if (action !== 'rotate') throw new UsageError('expected rotate')
    if (more.length > 0) throw new UsageError(`unexpected '${more[0]}'`)
    const place = storePlace(values)
    const { data, secretKey } = place
    if (data === undefined && !secretKey)
      throw new UsageError('expected --data DIR or PORTCULLIS_SECRET_KEY: secrets need a key')
    // Only here: other commands do without the store, and start sooner.
    const { addSecretKey } = await import('../store/index.js')
    // Opening the store first makes sure that there is one, and a key to begin with.
    const ready = await withStore(place, terminal, async () => {
      if (!secretKey) await addSecretKey(join(data!, 'secret.key'))
    })
    if (ready !== 0) return ready
    return withStore(place, terminal, async (_, management) => {
      const count = await management.resealSecrets()
      terminal.out(`${count} secrets are sealed with the ${secretKey ? 'first' : 'new'} key`)
    })
  },
}
