import type { News } from './news.js'

const HEARTBEAT_MS = 15_000
/** Events that a client may leave unread. */
const UNREAD = 64

/** What a stream of events is about. */
export interface EventStreamOptions {
  readonly news: News
  readonly zoneId: string
  /** The version in force; `undefined` once the zone is gone. */
  readonly newest: () => Promise<{ readonly version: number; readonly hash: string } | undefined>
  /** The version that the client knows already. */
  readonly known?: number | undefined
  readonly every: (milliseconds: number, run: () => void) => () => void
}

/**
 * Server-sent events: the version in force, then each new one. Versions that follow one another
 * faster than they are read become one event. Ends when the zone is gone.
 */
export function eventStream(options: EventStreamOptions): ReadableStream<Uint8Array> {
  const { news, zoneId, newest, every } = options
  const encoder = new TextEncoder()
  let end: () => void
  return new ReadableStream<Uint8Array>({
    start(controller) {
      let told = options.known
      let ended = false
      let telling = Promise.resolve()
      end = () => {
        ended = true
        subscription.stop()
        rest()
      }
      const close = () => {
        if (ended) return
        end()
        controller.close()
      }
      const send = (text: string) => {
        if ((controller.desiredSize ?? 0) < -UNREAD) close()
        if (!ended) controller.enqueue(encoder.encode(`${text}\n\n`))
      }
      async function tell(): Promise<void> {
        if (ended) return
        const version = await newest()
        if (version === undefined) return close()
        if (version.version === told) return
        told = version.version
        const data = JSON.stringify({ version: version.version, hash: version.hash })
        send(`event: policy\nid: ${told}\ndata: ${data}`)
      }
      const tellNext = () => {
        telling = telling.then(tell).catch((cause: unknown) => {
          if (ended) return
          end()
          controller.error(cause)
        })
      }
      const subscription = news.subscribe({
        changed: (changed) => changed === zoneId && tellNext(),
        closed: close,
      })
      const rest = every(HEARTBEAT_MS, () => send(': still here'))
      send('retry: 1000')
      void subscription.ready.then(tellNext)
    },
    cancel: () => end(),
  })
}
