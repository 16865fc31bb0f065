import { parseIp } from './ip.js'
import type { Facts, TokenState } from './predicate.js'
import { bytesOf, canonicalInt, elementOf } from './value.js'
import type { Type, Value } from './value.js'

/** Facts from plain values by field name. What does not fit the type of its field is missing. */
export function plainFacts(
  values: Readonly<Record<string, unknown>>,
  fields: ReadonlyMap<string, Type>,
  token: (configuration: string) => TokenState = () => 'absent',
): Facts {
  return {
    field(name) {
      const type = fields.get(name)
      return type && Object.hasOwn(values, name) ? valueOf(values[name], type) : undefined
    },
    token,
  }
}

function valueOf(plain: unknown, type: Type): Value | undefined {
  switch (type) {
    case 'Bool':
      return typeof plain === 'boolean' ? plain : undefined
    case 'Bytes':
      return typeof plain === 'string' ? bytesOf(plain) : undefined
    case 'Int':
      return intOf(plain)
    case 'Ip':
      return typeof plain === 'string' ? parseIp(plain) : undefined
    default:
      return containerOf(plain, type, elementOf(type) ?? '')
  }
}

function intOf(plain: unknown): Value | undefined {
  if (typeof plain === 'bigint') return canonicalInt(plain)
  return Number.isInteger(plain) ? canonicalInt(BigInt(plain as number)) : undefined
}

function containerOf(plain: unknown, type: Type, element: Type): Value | undefined {
  if (typeof plain !== 'object' || plain === null) return undefined
  if (type.startsWith('Array')) {
    if (!Array.isArray(plain)) return undefined
    return plain.map((item) => valueOf(item, element)).filter((item) => item !== undefined)
  }
  const map = new Map<string, Value>()
  for (const [key, item] of Object.entries(plain)) {
    const value = valueOf(item, element)
    if (value !== undefined) map.set(bytesOf(key), value)
  }
  return map
}
