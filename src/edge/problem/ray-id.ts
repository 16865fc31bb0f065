/** Gives at least 8 random bytes. */
export type RandomBytes = () => Uint8Array

const RAY = /^[0-9a-f]{16}(-[A-Z]{3})?$/

const webRandom: RandomBytes = () => crypto.getRandomValues(new Uint8Array(8))

/**
 * The trace id of a response as the `cf-ray` header carries it: 16 hex digits, perhaps with a
 * site suffix (`9f140b785e57c458-SJC`). An id of any other shape is replaced by a random one.
 */
export function rayId(given: string | undefined, random: RandomBytes = webRandom): string {
  if (given !== undefined && RAY.test(given)) return given
  let hex = ''
  for (const byte of random().subarray(0, 8)) hex += (byte + 256).toString(16).slice(1)
  return hex
}
