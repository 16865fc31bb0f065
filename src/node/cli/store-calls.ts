import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { DATABASE_FILE, type Store, type StorePlace } from '../store/index.js'
import type { ExitCode } from './command.js'
import { printable, type Terminal } from './terminal.js'

/** An object of the API, as it is printed. */
export type Item = Readonly<Record<string, unknown>>

/** Calls the API upon an open store. */
export interface StoreCalls {
  /** @throws {CallRefused} */
  call(method: string, path: string, body?: unknown): Promise<Item>
  /** Every item of a list, to its end. */
  list(path: string): Promise<readonly Item[]>
}

interface Envelope {
  readonly success: boolean
  readonly errors: readonly { readonly message: string; readonly source?: { pointer?: string } }[]
  readonly messages: readonly { readonly message: string }[]
  readonly result: unknown
}

/** The API refused a call. */
export class CallRefused extends Error {
  override readonly name = 'CallRefused'
  /** Places in the body that were wrong. */
  readonly pointers: readonly (string | undefined)[]

  constructor({ errors }: Envelope) {
    super(
      errors
        .map(({ message, source }) => (source?.pointer ? `${source.pointer}: ` : '') + message)
        .join('\n'),
    )
    this.pointers = errors.map(({ source }) => source?.pointer)
  }
}

const PER_PAGE = 50

type Run = (calls: StoreCalls, management: Store['management']) => Promise<ExitCode | void>

/** Runs upon a store that is there: a folder that is mistyped is no store, and none is made in it. */
export async function withStore(
  place: StorePlace,
  terminal: Terminal,
  run: Run,
): Promise<ExitCode> {
  const { data, database } = place
  if (data === undefined || database !== undefined || !(await isMissing(join(data, DATABASE_FILE))))
    return withAnyStore(place, terminal, run)
  const uses = '--data names the folder that `portcullis serve` uses'
  terminal.err(`portcullis: there is no store in ${printable(data)} (no ${DATABASE_FILE}): ${uses}`)
  return 1
}

/** One that may not be looked at is not missing: whoever opens it says why it cannot be opened. */
const isMissing = (file: string): Promise<boolean> =>
  access(file).then(
    () => false,
    ({ code }: NodeJS.ErrnoException) => code === 'ENOENT' || code === 'ENOTDIR',
  )

/**
 * Opens the store, or makes one, runs, closes it. A refusal of the API or of the store is told, and
 * exit code 1.
 */
export async function withAnyStore(
  place: StorePlace,
  terminal: Terminal,
  run: Run,
): Promise<ExitCode> {
  let fault: unknown
  try {
    // Only here: other commands do without the store, and start sooner.
    const { openStore } = await import('../store/index.js')
    const store = await openStore(place, (cause) => (fault = cause))
    try {
      return (await run(callsOf(store.management.fetchAsOwner), store.management)) ?? 0
    } finally {
      await store.close()
    }
  } catch (cause) {
    const { message } = (fault ?? cause) as Error
    for (const each of message.split('\n')) terminal.err(`portcullis: ${printable(each)}`)
    return 1
  }
}

function callsOf(fetch: (request: Request) => Promise<Response>): StoreCalls {
  async function answered(method: string, path: string, body?: unknown): Promise<Envelope> {
    const response = await fetch(
      new Request(`http://localhost/client/v4${path}`, {
        method,
        ...(body !== undefined && {
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      }),
    )
    const envelope = (await response.json()) as Envelope
    if (!envelope.success) throw new CallRefused(envelope)
    return envelope
  }
  return {
    call: async (method, path, body) => (await answered(method, path, body)).result as Item,
    async list(path) {
      const all: Item[] = []
      for (let page = 1; all.length === (page - 1) * PER_PAGE; page++) {
        const { result } = await answered('GET', `${path}?page=${page}&per_page=${PER_PAGE}`)
        all.push(...(result as readonly Item[]))
      }
      return all
    },
  }
}
