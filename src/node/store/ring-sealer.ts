import { createSealer, SealError, type Sealer } from '../../management/index.js'

/** Keys that another process may add to or take from. */
export interface Ring {
  read(): Promise<readonly Uint8Array[]>
  /** Another text after every change of them. */
  stamp(): Promise<string>
}

/**
 * A sealer upon keys that another process may change: it seals with the first of those that are there
 * at the time, and a secret that no key here opens makes it read them again, once.
 */
export async function createRingSealer(
  ring: Ring,
  random: (bytes: number) => Uint8Array,
): Promise<Sealer> {
  let [stamp, sealer] = await readSealer()

  async function readSealer(): Promise<readonly [stamp: string, sealer: Sealer]> {
    const before = await ring.stamp()
    return [before, await createSealer(await ring.read(), random)]
  }

  return {
    async seal(secret, context) {
      if ((await ring.stamp()) !== stamp) [stamp, sealer] = await readSealer()
      return sealer.seal(secret, context)
    },
    async open(sealed, context) {
      try {
        return await sealer.open(sealed, context)
      } catch (cause) {
        if (!(cause instanceof SealError) || cause.code !== 'unknown_key') throw cause
        ;[stamp, sealer] = await readSealer()
        return sealer.open(sealed, context)
      }
    },
    isCurrent: (sealed) => sealer.isCurrent(sealed),
  }
}
