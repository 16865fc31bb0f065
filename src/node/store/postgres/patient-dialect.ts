import { PostgresAdapter, PostgresDialect, type DialectAdapter } from 'kysely'

/** A dialect that knows when the schema is brought up to date: that may take its time. */
export class PatientDialect extends PostgresDialect {
  readonly #adapter = new MigrationAdapter()

  /** Old rows are rewritten, or another process does it and is waited for. */
  get isMigrating(): boolean {
    return this.#adapter.isMigrating
  }

  override createAdapter(): DialectAdapter {
    return this.#adapter
  }
}

type Lock = Parameters<PostgresAdapter['acquireMigrationLock']>

class MigrationAdapter extends PostgresAdapter {
  isMigrating = false

  override async acquireMigrationLock(...lock: Lock): Promise<void> {
    this.isMigrating = true
    await super.acquireMigrationLock(...lock)
  }

  override async releaseMigrationLock(...lock: Lock): Promise<void> {
    this.isMigrating = false
    await super.releaseMigrationLock(...lock)
  }
}
