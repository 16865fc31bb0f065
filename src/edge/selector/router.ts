import { ANY_SEGMENT, endpointSegments } from './endpoint.js'
import { HostCandidates } from './host-candidates.js'
import { ANY_LABEL, canonicalHost } from './host.js'

/** An operation of a zone, in the wire's words: method, host (label variables) and path template. */
export interface Operation {
  readonly operation_id: string
  readonly method: string
  readonly host: string
  readonly endpoint: string
}

interface Node<Target> {
  /** Null where no literal follows: most nodes of a large tree are ends. */
  literals: Map<string, Node<Target>> | null
  variable: Node<Target> | null
  /** Of the host added first; null where no endpoint ends. */
  leaf: Leaf<Target> | null
  /** Of the others by canonical host; null where there are none. */
  leaves: Map<string, Leaf<Target>> | null
}

interface Leaf<Target> {
  readonly host: string
  readonly target: Target
  /** Of the leaves that match a host, the one of lowest rank counts: fewest variables, then oldest. */
  readonly rank: number
}

const RANKS_PER_VARIABLE = 2 ** 32

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
  #added = 0

  constructor(mergeSlashes = true) {
    this.#mergeSlashes = mergeSlashes
  }

  /**
   * Gives the target that answers from now on: an older one where the operation is a duplicate;
   * `undefined` when host or endpoint is no template. `host` is the operation's, canonical, for
   * whoever has it already.
   */
  add(
    operation: Operation,
    target: Target,
    host: string | undefined = canonicalHost(operation.host),
  ): Target | undefined {
    const segments = endpointSegments(operation.endpoint, this.#mergeSlashes)
    if (host === undefined || segments === undefined) return undefined
    let node = this.#trees.get(operation.method)
    if (node === undefined) this.#trees.set(operation.method, (node = newNode()))
    for (const segment of segments) node = child(node, segment)
    const older = leafOf(node, host)
    if (older !== undefined) return older.target
    const variables = host.split(ANY_LABEL).length - 1
    const leaf = { host, target, rank: variables * RANKS_PER_VARIABLE + this.#added++ }
    if (node.leaf === null) node.leaf = leaf
    else (node.leaves ??= new Map()).set(host, leaf)
    this.#hosts.add(host)
    return target
  }

  /**
   * `host` from `requestHost`, `path` from `normalisePath`. Methods are case-sensitive, but `get`
   * is judged as `GET`: an origin may take it for that.
   */
  match(method: string, host: string, path: string): Target | undefined {
    if (!path.startsWith('/')) return undefined
    const tree = this.#trees.get(method) ?? this.#trees.get(method.toUpperCase())
    return tree === undefined ? undefined : this.#find(tree, host, path, 0)
  }

  #find(node: Node<Target>, host: string, path: string, at: number): Target | undefined {
    if (at >= path.length) return this.#leaf(node, host)
    const slash = path.indexOf('/', at + 1)
    const end = slash === -1 ? path.length : slash
    const { literals } = node
    const literal = literals === null ? undefined : literals.get(path.slice(at + 1, end))
    if (literal !== undefined) {
      const found = this.#find(literal, host, path, end)
      if (found !== undefined) return found
    }
    const { variable } = node
    return variable === null || end === at + 1 ? undefined : this.#find(variable, host, path, end)
  }

  #leaf(node: Node<Target>, host: string): Target | undefined {
    if (node.leaf === null) return undefined
    let best = leafOf(node, host)
    if (best !== undefined) return best.target
    for (const candidate of this.#hosts.of(host)) {
      const leaf = leafOf(node, candidate)
      if (leaf !== undefined && (best === undefined || leaf.rank < best.rank)) best = leaf
    }
    return best?.target
  }
}

function newNode<Target>(): Node<Target> {
  return { literals: null, variable: null, leaf: null, leaves: null }
}

function leafOf<Target>({ leaf, leaves }: Node<Target>, host: string): Leaf<Target> | undefined {
  if (leaf !== null && leaf.host === host) return leaf
  return leaves === null ? undefined : leaves.get(host)
}

function child<Target>(node: Node<Target>, segment: string): Node<Target> {
  if (segment === ANY_SEGMENT) return (node.variable ??= newNode())
  node.literals ??= new Map()
  let next = node.literals.get(segment)
  if (next === undefined) node.literals.set(segment, (next = newNode()))
  return next
}
