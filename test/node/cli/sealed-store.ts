import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { openStore, type Store } from '../../../src/node/store/index.js'
import { keyFor } from '../../edge/token/keys.js'
import { judged } from '../../management/contract.js'
import { runCli, type Ended } from './run-cli.js'

const HMAC = keyFor('HS256').jwk as { readonly k: string }

/** The store in a data folder, with one zone whose configurations all have the same secret. */
export interface SealedStore {
  readonly data: string
  /** Its id. */
  readonly zone: string
  readonly keyFile: string
  /** The keys in the file, the newest first. */
  keys(): readonly string[]
  open(): Promise<Store>
  /** `portcullis secrets rotate` */
  rotate(...args: readonly string[]): Promise<Ended>
  addConfiguration(store: Store): Promise<void>
  /** The secrets as gates get them, as often as they are in a policy. */
  secretsOf(store: Store): Promise<number>
  remove(): void
}

export async function sealedStore(): Promise<SealedStore> {
  const folder = mkdtempSync(join(tmpdir(), 'portcullis-sealed-'))
  const data = join(folder, 'data')
  const keyFile = join(data, 'secret.key')
  const added = await runCli(['zone', 'add', 'example.com', '--account', 'a', '--data', data])
  const zone = added.out.trim()
  return {
    data,
    zone,
    keyFile,
    keys: () => readFileSync(keyFile, 'utf8').trim().split('\n'),
    open: () =>
      openStore({ data }, (cause) => {
        throw cause
      }),
    rotate: (...args) => runCli(['secrets', 'rotate', '--data', data, ...args]),
    async addConfiguration({ management }) {
      const body = {
        title: 'Tokens',
        description: '',
        token_type: 'JWT',
        token_sources: ['http.request.cookies["token"][0]'],
        credentials: { keys: [HMAC] },
      }
      const { status } = await judged(management.fetchAsOwner)(
        new Request(`http://localhost/client/v4/zones/${zone}/token_validation/config`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      )
      expect(status).toBe(200)
    },
    async secretsOf({ management }) {
      return JSON.stringify(await management.policy(zone)).split(HMAC.k).length - 1
    },
    remove: () => rmSync(folder, { recursive: true }),
  }
}

/** Runs with keys in the environment in place of those in the file. */
export async function withSecretKey<Result>(
  keys: readonly string[],
  run: () => Promise<Result>,
): Promise<Result> {
  const before = process.env['PORTCULLIS_SECRET_KEY']
  process.env['PORTCULLIS_SECRET_KEY'] = keys.join(',')
  try {
    return await run()
  } finally {
    if (before === undefined) delete process.env['PORTCULLIS_SECRET_KEY']
    else process.env['PORTCULLIS_SECRET_KEY'] = before
  }
}
