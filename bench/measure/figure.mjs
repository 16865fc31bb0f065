/** A number as people read it: three digits that count. */
export function figure(value) {
  if (value === undefined || Number.isNaN(value)) return ''
  const size = Math.abs(Number(value.toPrecision(3)))
  if (size >= 1000) return Math.round(value).toLocaleString('en')
  if (size < 0.01 && size > 0) return value.toPrecision(1)
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2)
}

/** The same with as many digits more as tell it from a limit. */
export function figureBeside(limit, value) {
  const text = figure(value)
  if (text !== figure(limit)) return text
  const longer = [4, 5, 6].map((digits) => value.toPrecision(digits))
  return longer.find((each) => Number(each) !== limit) ?? text
}

/** How many times as much. */
export const times = (value) => `${figure(value)}x`
