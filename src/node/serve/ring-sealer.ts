import { createSealer, SealError, type Sealer } from '../../management/index.js'

/**
 * A sealer upon keys that another process may add to: a secret that no key here opens makes it read
 * them again, once.
 */
export async function createRingSealer(
  readRing: () => Promise<readonly Uint8Array[]>,
  random: (bytes: number) => Uint8Array,
): Promise<Sealer> {
  let sealer = await createSealer(await readRing(), random)
  return {
    seal: (secret, context) => sealer.seal(secret, context),
    async open(sealed, context) {
      try {
        return await sealer.open(sealed, context)
      } catch (cause) {
        if (!(cause instanceof SealError) || cause.code !== 'unknown_key') throw cause
        sealer = await createSealer(await readRing(), random)
        return sealer.open(sealed, context)
      }
    },
    isCurrent: (sealed) => sealer.isCurrent(sealed),
  }
}
