import { listenAddress, type ListenAddress } from '../listen-address.js'
import { UsageError } from './command.js'

/**
 * The address that an option names.
 * @throws {UsageError}
 */
export function listenOption(text: string): ListenAddress {
  const address = listenAddress(text)
  if (address === undefined)
    throw new UsageError(`expected HOST:PORT or [IPv6]:PORT, found '${text}'`)
  return address
}
