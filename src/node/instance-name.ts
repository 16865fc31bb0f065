import { hostname } from 'node:os'
import type { ListenAddress } from './listen-address.js'

/** What a gate is known by, unless it is told: the same after a restart where its port is its own. */
export const instanceName = ({ port }: ListenAddress): string =>
  `${hostname()}:${port === 0 ? process.pid : port}`
