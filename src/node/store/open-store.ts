import { randomBytes, randomUUID } from 'node:crypto'
import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'
import {
  createManagement,
  openDatabase,
  type DocumentReader,
  type Management,
  type Sealer,
  type StoreDialect,
} from '../../management/index.js'
import { createOutbound } from '../outbound/index.js'
import { packageVersion } from '../package-version.js'
import { DATABASE_FILE } from './database-file.js'
import type { PostgresPatience } from './postgres/index.js'
import { createRingSealer } from './ring-sealer.js'
import { readSecretKeys, secretKeysStamp } from './secret-keys.js'
import { sqliteDialect } from './sqlite.js'

/** Where the store is: a folder, or a Postgres database beside which a folder holds the secret keys. */
export interface StorePlace {
  /** Data folder, made when missing: `portcullis.db` and `secret.key`. */
  readonly data?: string | undefined
  /** `postgres://…` in place of the folder's own database. */
  readonly database?: string | undefined
  /** How that one is waited for. */
  readonly patience?: PostgresPatience | undefined
  /** Keys that seal secrets, in place of the folder's `secret.key`. */
  readonly secretKey?: string | undefined
  /** Key sets of issuers may be at private addresses and at `http:` ones. */
  readonly allowPrivateKeySets?: boolean | undefined
}

/** An open store with the management floor upon it. */
export interface Store {
  readonly management: Management
  close(): Promise<void>
}

/**
 * Opens the store and brings its schema up to date.
 *
 * @throws {TypeError} for a place that is none, {SecretKeyError} for keys that cannot be used, and
 * whatever the database says.
 */
export async function openStore(
  { data, database, patience, secretKey, allowPrivateKeySets = false }: StorePlace,
  onFault: (cause: unknown, requestId: string) => void,
  readDocument?: DocumentReader,
): Promise<Store> {
  if (data !== undefined) await mkdir(data, { recursive: true, mode: 0o700 })
  const file = join(data ?? '', 'secret.key')
  const ring = {
    read: () => readSecretKeys(file, secretKey),
    stamp: () => secretKeysStamp(file, secretKey),
  }
  const sealer = data === undefined && !secretKey ? NO_KEY : await createRingSealer(ring, random)
  const db = await openDatabase(
    database === undefined
      ? sqliteDialect(await databaseFile(data))
      : await postgresAt(database, patience),
  )
  return {
    management: createManagement({
      db,
      sealer,
      now: Date.now,
      newId: randomUUID,
      random,
      version: packageVersion(),
      pageOutbound: createOutbound(),
      onFault,
      outbound: createOutbound({ allowPrivate: allowPrivateKeySets }),
      allowHttpKeySets: allowPrivateKeySets,
      ...(readDocument && { readDocument }),
    }),
    close: () => db.destroy(),
  }
}

async function postgresAt(
  database: string,
  patience: PostgresPatience | undefined,
): Promise<StoreDialect> {
  // Only here: who has the other database does without its driver, and starts sooner.
  const { postgresDialect } = await import('./postgres/index.js')
  return postgresDialect(database, patience)
}

const random = (bytes: number): Uint8Array => new Uint8Array(randomBytes(bytes))

/** SQLite gives the files beside its own the same mode: nobody else reads them. */
async function databaseFile(data: string | undefined): Promise<string> {
  if (data === undefined) throw new TypeError('expected a data folder or a database')
  const file = join(data, DATABASE_FILE)
  await (await open(file, 'a', 0o600)).close()
  return file
}

const noKey = async (): Promise<never> => {
  throw new TypeError('there is no key for secrets here: no data folder, no PORTCULLIS_SECRET_KEY')
}

/** For commands that touch no secret. */
const NO_KEY: Sealer = { seal: noKey, open: noKey, isCurrent: () => false }
