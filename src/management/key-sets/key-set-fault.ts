/** Why a fetch gave no keys: of this room, or a code of the way out. */
export class KeySetFault extends Error {
  override readonly name = 'KeySetFault'
  readonly code: string

  constructor(code: 'bad_status' | 'not_a_key_set' | 'no_usable_keys', message: string) {
    super(message)
    this.code = code
  }
}
