import { endpointSegments } from '../../../edge/selector/index.js'
import { ApiError, message, pointerTo, type Message } from '../../http/index.js'
import { CODES } from '../codes.js'
import type { OperationInput } from '../normalise.js'
import { itemsOf, membersOf, type Members } from './members.js'
import { resolve } from './resolve.js'
import { readServers, type Server } from './servers.js'

const VERSION = /^3\.\d+(?:\.\d+)?(?:-\S*)?$/

/** Members of a path item that are operations, as the wire spells their methods. */
const METHODS: ReadonlyMap<string, string> = new Map(
  ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'].map((name) => [
    name,
    name.toUpperCase(),
  ]),
)
/** Members of newer documents that hold operations of other methods. */
const OTHER_METHODS = new Set(['query', 'additionalOperations'])

/**
 * The operations of an OpenAPI 3 document in a zone, as they are written there, and what of the
 * document is left out or taken otherwise. Pointers begin at the document.
 *
 * @throws {ApiError} 400 with a message for each place that is no OpenAPI.
 */
export function operationsOf(
  document: unknown,
  zone: string,
): { readonly operations: readonly OperationInput[]; readonly warnings: readonly Message[] } {
  const root = rootOf(document)
  const paths = membersOf(root.get('paths'))
  if (paths === undefined) throw invalid('expected an object of paths', ['paths'])
  const faults: Message[] = []
  const warnings: Message[] = []
  const operations: OperationInput[] = []
  const serversAt = createServersAt(zone, warnings)
  const rootServers = serversAt(root, []) ?? readDefault(zone, warnings)
  for (const [path, item] of paths) {
    if (path.startsWith('x-')) continue
    const place = ['paths', path]
    const refuse = (text: string, ...steps: readonly string[]) =>
      void faults.push(message(CODES.invalid_document, text, pointerTo([...place, ...steps])))
    const warn = (code: number, text: string, ...steps: readonly string[]) =>
      void warnings.push(message(code, text, pointerTo([...place, ...steps])))
    if (!path.startsWith('/')) {
      refuse('expected a path that begins with /')
      continue
    }
    if (membersOf(item) === undefined) {
      refuse('expected a path item, which is an object')
      continue
    }
    const members = resolve(item, document)
    if (members === undefined) {
      const text = 'the reference leads out of the document or nowhere; the path is left out'
      warn(CODES.unresolved_reference, text, '$ref')
      continue
    }
    if (endpointSegments(path) === undefined) {
      const text = 'a variable must be a whole segment of a path, without a query; left out'
      warn(CODES.not_expressible, text)
      continue
    }
    const pathServers = serversAt(members, place) ?? rootServers
    for (const [name, operation] of members) {
      if (OTHER_METHODS.has(name))
        warn(CODES.not_expressible, 'operations of these methods are left out', name)
      const method = METHODS.get(name)
      if (method === undefined) continue
      const own = membersOf(operation)
      if (own === undefined) refuse('expected an operation, which is an object', name)
      else
        for (const { host, base } of serversAt(own, [...place, name]) ?? pathServers)
          operations.push({ method, host, endpoint: base + path })
    }
  }
  if (faults.length > 0) throw ApiError.of(400, faults)
  return { operations, warnings }
}

function rootOf(document: unknown): Members {
  const root = membersOf(document)
  if (root === undefined) throw invalid('expected an OpenAPI document, which is an object', [])
  if (root.has('swagger'))
    throw invalid('expected OpenAPI 3, found Swagger 2; convert the document', ['swagger'])
  const version = root.get('openapi')
  if (typeof version !== 'string' || !VERSION.test(version))
    throw invalid('expected a version of OpenAPI 3 such as 3.1.0', ['openapi'])
  return root
}

const invalid = (text: string, place: readonly string[]): ApiError =>
  new ApiError(400, CODES.invalid_document, text, pointerTo(place))

/** Reads the servers that stand at a place; `undefined` where there are none. */
function createServersAt(zone: string, warnings: Message[]) {
  // Aliases and references make one list stand in many places.
  const known = new Map<unknown, readonly Server[]>()
  return (members: Members, place: readonly string[]): readonly Server[] | undefined => {
    const list = members.get('servers')
    if (itemsOf(list).length === 0) return undefined
    let servers = known.get(list)
    if (servers === undefined) {
      const read = readServers(itemsOf(list), zone, [...place, 'servers'])
      warnings.push(...read.warnings)
      known.set(list, (servers = read.servers))
    }
    return servers
  }
}

function readDefault(zone: string, warnings: Message[]): readonly Server[] {
  const text = `no server is named; ${zone} is taken for it`
  warnings.push(message(CODES.no_host, text, pointerTo(['servers'])))
  return [{ host: zone, base: '' }]
}
