/** A number as people read it: three digits that count. */
export function figure(value) {
  if (value === undefined || Number.isNaN(value)) return ''
  const size = Math.abs(value)
  if (size >= 1000) return Math.round(value).toLocaleString('en')
  if (size < 0.01 && size > 0) return value.toPrecision(1)
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2)
}

/** How many times as much. */
export const times = (value) => `${figure(value)}x`
