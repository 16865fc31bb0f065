import type { Socket } from 'node:net'

/**
 * Joins two connections byte for byte, each read only as fast as the other one is written. When
 * one closes, the other gets what is still under way and closes too; both close when neither
 * carried anything for `idle` milliseconds.
 */
export function splice(client: Socket, upstream: Socket, idle: number): void {
  const pairs = [
    [client, upstream],
    [upstream, client],
  ] as const
  for (const [from, to] of pairs) {
    from.on('error', () => from.destroy())
    from.once('close', () => to.destroySoon())
    from.setTimeout(idle, () => from.destroy())
    from.pipe(to)
  }
}
