/** A time of the store (epoch µs) as RFC 3339 with six digits of a second: `2026-01-31T12:00:00.000000Z`. */
export function moment(micros: number): string {
  const milliseconds = Math.floor(micros / 1000)
  const rest = String(micros - milliseconds * 1000).padStart(3, '0')
  return `${new Date(milliseconds).toISOString().slice(0, -1)}${rest}Z`
}

/** Epoch milliseconds, whole or not, as the store keeps time. */
export const microseconds = (milliseconds: number): number => Math.round(milliseconds * 1000)
