import { ANY_SEGMENT, endpointSegments } from './endpoint.js'
import { HostCandidates } from './host-candidates.js'
import { canonicalHost } from './host.js'

/** An operation of a zone, in the wire's words: method, host (label variables) and path template. */
export interface Operation {
  readonly operation_id: string
  readonly method: string
  readonly host: string
  readonly endpoint: string
}

interface Node<Target> {
  readonly literals: Map<string, Node<Target>>
  variable: Node<Target> | null
  /** By canonical host; null where no endpoint ends. */
  targets: Map<string, Target> | null
}

/**
 * Finds the operation of a request in a time that does not grow with the number of operations: a
 * tree of path segments per method, and the hosts at its leaves. Overlaps are settled segment by
 * segment from the left, a literal before a variable; then an exact host before one with
 * variables, fewer variables first; then the operation added first.
 */
export class Router<Target> {
  readonly #trees = new Map<string, Node<Target>>()
  readonly #hosts = new HostCandidates()
  readonly #mergeSlashes: boolean

  constructor(mergeSlashes = true) {
    this.#mergeSlashes = mergeSlashes
  }

  /** False when host or endpoint is no template, and nothing is added; a duplicate changes nothing. */
  add(operation: Operation, target: Target): boolean {
    const host = canonicalHost(operation.host)
    const segments = endpointSegments(operation.endpoint, this.#mergeSlashes)
    if (host === undefined || segments === undefined) return false
    let node = this.#trees.get(operation.method)
    if (node === undefined) this.#trees.set(operation.method, (node = newNode()))
    for (const segment of segments) node = child(node, segment)
    node.targets ??= new Map()
    if (!node.targets.has(host)) node.targets.set(host, target)
    this.#hosts.add(host)
    return true
  }

  /** `host` from `requestHost`, `path` from `normalisePath`, `method` as sent (case-sensitive). */
  match(method: string, host: string, path: string): Target | undefined {
    const tree = this.#trees.get(method)
    return tree === undefined ? undefined : this.#find(tree, host, path, 0)
  }

  #find(node: Node<Target>, host: string, path: string, at: number): Target | undefined {
    if (at >= path.length) return this.#leaf(node, host)
    const slash = path.indexOf('/', at + 1)
    const end = slash === -1 ? path.length : slash
    const literal = node.literals.get(path.slice(at + 1, end))
    if (literal !== undefined) {
      const found = this.#find(literal, host, path, end)
      if (found !== undefined) return found
    }
    const { variable } = node
    return variable === null || end === at + 1 ? undefined : this.#find(variable, host, path, end)
  }

  #leaf({ targets }: Node<Target>, host: string): Target | undefined {
    if (targets === null) return undefined
    const exact = targets.get(host)
    if (exact !== undefined) return exact
    for (const candidate of this.#hosts.of(host)) {
      const target = targets.get(candidate)
      if (target !== undefined) return target
    }
    return undefined
  }
}

function newNode<Target>(): Node<Target> {
  return { literals: new Map(), variable: null, targets: null }
}

function child<Target>(node: Node<Target>, segment: string): Node<Target> {
  if (segment === ANY_SEGMENT) return (node.variable ??= newNode())
  let next = node.literals.get(segment)
  if (next === undefined) node.literals.set(segment, (next = newNode()))
  return next
}
