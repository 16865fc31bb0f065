import type { Ip } from './ip.js'
import type { Operator } from './syntax.js'
import type { Value } from './value.js'

/** What a comparison with a known right side asks of the left. */
export type Test = (value: Value) => boolean

const TWO_31 = 2 ** 31

/** Equality and order of Ints among themselves, and of Bytes: JavaScript orders both as meant. */
export function ordering(operator: Operator, right: Value): Test | undefined {
  switch (operator) {
    case '==':
      return (value) => value === right
    case '!=':
      return (value) => value !== right
    case '>=':
      return (value) => value >= right
    case '<=':
      return (value) => value <= right
    case '>':
      return (value) => value > right
    case '<':
      return (value) => value < right
    default:
      return undefined
  }
}

/** Equality and order of addresses; those of two families are unequal and in no order. */
export function orderingOfIp(operator: Operator, right: Ip): Test | undefined {
  const test = ordering(operator, right.value)
  return (
    test &&
    ((value) => {
      const { version, value: number } = value as Ip
      return version === right.version ? test(number) : operator === '!='
    })
  )
}

/** Whether an Int and a mask have a bit in common. */
export function masking(mask: number | bigint): Test {
  const wide = BigInt(mask)
  const narrow = Number(BigInt.asIntN(32, wide)) === mask ? Number(mask) : undefined
  return (value) => {
    if (narrow !== undefined && typeof value === 'number' && value >= -TWO_31 && value < TWO_31) {
      return (value & narrow) !== 0
    }
    return (BigInt(value as number) & wide) !== 0n
  }
}
