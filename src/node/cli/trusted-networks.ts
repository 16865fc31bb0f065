import { trusts } from '../trusts.js'
import { UsageError } from './command.js'

/**
 * Checks `--trust` before anything is started.
 * @throws {UsageError} for an entry that is neither an address nor a network
 */
export function checkTrusted(networks: readonly string[] = []): void {
  try {
    trusts(networks)
  } catch (cause) {
    throw new UsageError((cause as Error).message.replace('trustForwarded', '--trust'))
  }
}
