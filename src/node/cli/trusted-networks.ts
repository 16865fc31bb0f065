import { UsageError } from './command.js'

/**
 * Checks `--trust` before anything is started.
 * @throws {UsageError} as a rejection, for an entry that is neither an address nor a network
 */
export async function checkTrusted(networks: readonly string[] | undefined): Promise<void> {
  if (networks === undefined) return
  // Only here: the proxy takes a while to load.
  const { trusts } = await import('../trusts.js')
  try {
    trusts(networks)
  } catch (cause) {
    throw new UsageError((cause as Error).message.replace('trustForwarded', '--trust'))
  }
}
