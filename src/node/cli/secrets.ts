import { join } from 'node:path'
import { UsageError, type Command, type ExitCode } from './command.js'
import { parseOptions } from './parse-options.js'
import { withStore } from './store-calls.js'
import { STORE_HELP, STORE_OPTIONS, storePlace } from './store-options.js'

/** `portcullis secrets`: the key that seals secrets. */
export const secrets: Command = {
  name: 'secrets',
  summary: 'rotate the key that seals the secrets of a store',
  help: `Usage: portcullis secrets rotate --data DIR [--database URL] [--drop-old]

Makes a new key, puts it in front of those in DIR/secret.key and seals every secret anew with it.
Nothing has to be stopped: a running \`portcullis serve\` with the same DIR finds the new key, and
seals with it from then on. Older keys stay in the file: backups from before need them.

  --drop-old           take the older keys out of DIR/secret.key, once no secret needs them; none is
                       dropped otherwise. Keep a copy of the file with the backups from before, and
                       copy the new one to every DIR where a process uses the same database

With PORTCULLIS_SECRET_KEY set no key is made: put the new one in front of the old one there,
separated by a comma, restart every process with it, and then run this. With --drop-old it tells
whether the older ones can be taken out there.

${STORE_HELP}

Exit code: 0 done, 1 the store or a key cannot be used, or secrets still need older keys, 2 usage.`,

  async run(args, terminal): Promise<ExitCode> {
    const { values, positionals } = parseOptions(args, {
      ...STORE_OPTIONS,
      'drop-old': { type: 'boolean' },
    })
    const [action, ...more] = positionals
    if (action !== 'rotate') throw new UsageError('expected rotate')
    if (more.length > 0) throw new UsageError(`unexpected '${more[0]}'`)
    const place = storePlace(values)
    const { data, secretKey } = place
    if (data === undefined && !secretKey)
      throw new UsageError('expected --data DIR or PORTCULLIS_SECRET_KEY: secrets need a key')
    // Only here: other commands do without the store, and start sooner.
    const { addSecretKey, dropOldSecretKeys } = await import('../store/index.js')
    const file = join(data ?? '', 'secret.key')
    let newest: Uint8Array | undefined
    // Opening the store first makes sure that there is one, and a key to begin with.
    const ready = await withStore(place, terminal, async () => {
      if (!secretKey) [newest] = await addSecretKey(file)
    })
    if (ready !== 0) return ready
    return withStore(place, terminal, async (_, management) => {
      const count = await management.resealSecrets()
      const which = secretKey ? 'first' : 'new'
      terminal.out(`${count} secrets are sealed with the ${which} key`)
      if (values['drop-old'] !== true) return 0
      const left = await management.whileSealedAnew(async () => {
        if (newest !== undefined) await dropOldSecretKeys(file, newest)
      })
      if (left > 0) {
        terminal.err(`portcullis: ${left} secrets need older keys still; none is dropped`)
        return 1
      }
      terminal.out(
        newest === undefined
          ? 'no secret needs the older keys of PORTCULLIS_SECRET_KEY: take them out there'
          : 'the older keys are dropped',
      )
      return 0
    })
  },
}
