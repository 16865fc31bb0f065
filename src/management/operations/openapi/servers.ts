import { canonicalHost } from '../../../edge/selector/index.js'
import { message, pointerTo, type Message } from '../../http/index.js'
import { CODES } from '../codes.js'
import { itemsOf, membersOf, type Members } from './members.js'

/** Where operations are served: a host of the zone and what comes before their paths. */
export interface Server {
  readonly host: string
  readonly base: string
}

/** Addresses that the values of one server's variables may make. */
const MAX_ADDRESSES = 64
const VARIABLE = /\{([^{}]*)\}/g
const ADDRESS = /^(?:[^/?#:]*:)?\/\/([^/?#]*)([^?#]*)/
const PORT = /:(?:\d*|\{[^{}]*\})$/

/**
 * The servers of a list that lie in a zone. A variable stands for each value of its `enum`; without one,
 * for any label where that keeps a host in the zone, else for its default.
 */
export function readServers(
  list: readonly unknown[],
  zone: string,
  path: readonly PropertyKey[],
): { readonly servers: readonly Server[]; readonly warnings: readonly Message[] } {
  const servers = new Map<string, Server>()
  const warnings: Message[] = []
  for (const [at, item] of list.entries()) {
    const pointer = pointerTo([...path, at])
    const warn = (code: number, text: string) =>
      void warnings.push(message(code, text, `${pointer}/url`))
    const members = membersOf(item)
    const url = members?.get('url')
    if (typeof url !== 'string') {
      warn(CODES.foreign_server, 'a server without its url is left out')
      continue
    }
    const variables = membersOf(members?.get('variables')) ?? new Map()
    for (const address of withEnums(url, variables)) {
      const server = locate(address, variables, zone, warn)
      if (server !== undefined) servers.set(`${server.host} ${server.base}`, server)
    }
  }
  return { servers: [...servers.values()], warnings }
}

type Warn = (code: number, text: string) => void

function locate(address: string, variables: Members, zone: string, warn: Warn): Server | undefined {
  const shown = JSON.stringify(address).slice(0, 200)
  // A variable in front may hold the scheme, the host and more.
  const whole = address.startsWith('{') ? withDefaults(address, variables, 1) : address
  const [matched, authority = '', rest = ''] = ADDRESS.exec(whole) ?? []
  const host = matched === undefined ? zone : hostIn(authority, variables, zone)
  if (host === undefined) {
    warn(CODES.foreign_server, `the server ${shown} is not in the zone ${zone} and is left out`)
    return undefined
  }
  if (matched === undefined)
    warn(CODES.no_host, `the server ${shown} names no host; ${zone} is taken for it`)
  const path = matched === undefined ? whole.replace(/[?#].*$/s, '') : rest
  const base = withDefaults(path, variables)
  if (base.includes('{')) {
    warn(CODES.foreign_server, `the server ${shown} has a variable without a default; left out`)
    return undefined
  }
  if (base !== path)
    warn(CODES.server_default, `the path of the server ${shown} is taken with its default values`)
  return { host, base: `/${base}`.replace(/^\/\/+/, '/').replace(/\/+$/, '') }
}

function hostIn(authority: string, variables: Members, zone: string): string | undefined {
  const host = authority.replace(PORT, '')
  return [host, withDefaults(host, variables).replace(PORT, '')].find((candidate) => {
    const canonical = canonicalHost(candidate)
    return canonical === zone || canonical?.endsWith(`.${zone}`)
  })
}

/** An address with the values of variables that have a list of them: one address for each. */
function withEnums(url: string, variables: Members): readonly string[] {
  let addresses: readonly string[] = [url]
  for (const [written, name] of new Map([...url.matchAll(VARIABLE)].map(([w, n]) => [w, n!]))) {
    const all = itemsOf(membersOf(variables.get(name))?.get('enum'))
    const values = all.filter((value) => typeof value === 'string')
    if (values.length === 0 || values.length * addresses.length > MAX_ADDRESSES) continue
    addresses = addresses.flatMap((address) =>
      values.map((value) => address.split(written).join(value)),
    )
  }
  return addresses
}

/** A text with the default values of its variables, of the first `count` of them. */
function withDefaults(text: string, variables: Members, count = Infinity): string {
  let replaced = 0
  return text.replaceAll(VARIABLE, (written, name: string) => {
    const value = membersOf(variables.get(name))?.get('default')
    return ++replaced <= count && typeof value === 'string' ? value : written
  })
}
