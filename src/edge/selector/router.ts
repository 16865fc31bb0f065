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
  /** What leads here. */
  readonly segment: string
  /**
   * By number of their segment; by the segment where another one has that number, as who knows the numbers
   * can make many. Null where no literal follows: most nodes of a large tree are ends.
   */
  literals: Map<number | string, Node<Target>> | null
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
    if (node === undefined) this.#trees.set(operation.method, (node = newNode('')))
    for (const segment of segments) node = child(node, segment)
    const older = leafOf(node, host)
    if (older !== undefined) return older.target
    const ranksPerVariable = 2 ** 32
    const variables = host.split(ANY_LABEL).length - 1
    const leaf = { host, target, rank: variables * ranksPerVariable + this.#added++ }
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
    const slash = 0x2f
    const start = at + 1
    // One pass, and no text made: a map of texts would want a piece of the path and its hash.
    let number = 0
    let end = start
    for (let code; end < path.length && (code = path.charCodeAt(end)) !== slash; end++)
      number = followedBy(number, code)
    const { literals, variable } = node
    let literal = literals?.get(number)
    if (literal !== undefined && !isBetween(literal.segment, path, start, end))
      literal = literals!.get(path.slice(start, end))
    if (literal !== undefined) {
      const found = this.#find(literal, host, path, end)
      if (found !== undefined) return found
    }
    return variable === null || end === start ? undefined : this.#find(variable, host, path, end)
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

function newNode<Target>(segment: string): Node<Target> {
  return { segment, literals: null, variable: null, leaf: null, leaves: null }
}

function leafOf<Target>({ leaf, leaves }: Node<Target>, host: string): Leaf<Target> | undefined {
  if (leaf?.host === host) return leaf
  return leaves?.get(host)
}

function child<Target>(node: Node<Target>, segment: string): Node<Target> {
  if (segment === ANY_SEGMENT) return (node.variable ??= newNode(segment))
  const literals = (node.literals ??= new Map())
  let number = 0
  for (let at = 0; at < segment.length; at++) number = followedBy(number, segment.charCodeAt(at))
  const first = literals.get(number)
  const key = first === undefined || first.segment === segment ? number : segment
  let next = literals.get(key)
  if (next === undefined) literals.set(key, (next = newNode(segment)))
  return next
}

/** The number of a text with one more character: thirty bits, which every engine keeps as a small integer. */
const followedBy = (number: number, code: number): number =>
  (Math.imul(number, 31) + code) & 0x3fffffff

/** Whether a text is that part of another. */
const isBetween = (text: string, whole: string, start: number, end: number): boolean =>
  text.length === end - start && whole.startsWith(text, start)
