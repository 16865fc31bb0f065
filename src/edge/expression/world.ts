import type { Scheme } from './scheme.js'
import type { Type } from './typed.js'

/** A scheme made ready for names that strangers choose: every table is a Map or a Set. */
export interface World {
  readonly fields: ReadonlyMap<string, Type>
  readonly functions?: ReadonlySet<string>
  readonly lists: ReadonlyMap<string, ReadonlyMap<string, readonly unknown[]>>
  readonly configurations?: ReadonlySet<string>
  readonly nilNotEqual: boolean
  readonly maxNesting: number
  readonly wildcardStarLimit: number
}

const TYPE = /^(?:(?:Array|Map)<)*(?:Bool|Int|Bytes|Ip)>*$/

const worlds = new WeakMap<Scheme, World>()

/**
 * The world of a scheme, made once for each scheme.
 *
 * @throws {TypeError} for a type that the language does not have
 */
export function worldOf(scheme: Scheme): World {
  const known = worlds.get(scheme)
  if (known) return known
  const world = createWorld(scheme)
  worlds.set(scheme, world)
  return world
}

function createWorld(scheme: Scheme): World {
  const { fields, functions, lists = {}, configurations } = scheme
  for (const [name, type] of Object.entries(fields)) {
    if (!TYPE.test(type) || type.split('<').length !== type.split('>').length) {
      throw new TypeError(`the field ${name} has the unknown type ${type}`)
    }
  }
  return {
    fields: new Map(Object.entries(fields)),
    ...(functions && { functions: new Set(functions) }),
    lists: new Map(
      Object.entries(lists).map(([type, named]) => [type, new Map(Object.entries(named))]),
    ),
    ...(configurations && { configurations: new Set(configurations) }),
    nilNotEqual: scheme.nilNotEqual ?? false,
    maxNesting: scheme.maxNesting ?? 128,
    wildcardStarLimit: scheme.wildcardStarLimit ?? Infinity,
  }
}
