/** A backup that cannot be restored, or a store that cannot take one. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
  readonly code: 'not_a_backup' | 'other_version' | 'incomplete' | 'not_empty' | 'other_key'

  constructor(code: BackupError['code'], message: string) {
    super(message)
    this.code = code
  }
}
