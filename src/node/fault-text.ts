const NO_TLS = 'no TLS is spoken there; where that is as it should be, the URL begins with http:'

/** OpenSSL's words for these are of its own sources. */
const PLAIN: ReadonlyMap<string, string> = new Map([
  ['ERR_SSL_WRONG_VERSION_NUMBER', NO_TLS],
  ['ERR_SSL_PACKET_LENGTH_TOO_LONG', NO_TLS],
])

/** What an error says, or its code where it says nothing, for whoever named the address it came from. */
export function faultText(error: Error): string {
  const code = 'code' in error ? String(error.code) : ''
  return PLAIN.get(code) ?? (error.message || code || error.name)
}
