/** @throws {RangeError} unless a setting is a number from `min` to `max`. */
export function inRange(name: string, value: number, min: number, max: number): void {
  if (typeof value === 'number' && value >= min && value <= max) return
  throw new RangeError(`${name} must be a number from ${min} to ${max}`)
}
