import type { EcKey } from '../../edge/token/index.js'

/**
 * Stands in the policy of a configuration that has no key yet, or none any more: no gate takes a
 * configuration without a key, and with this one every token is refused. Nobody has its private key,
 * as `x` is the SHA-256 of the text `portcullis: a key that nobody has 0` and happens to be on the
 * curve.
 */
export const NOBODYS_KEY: EcKey = {
  alg: 'ES256',
  crv: 'P-256',
  kid: 'nobody',
  kty: 'EC',
  x: '-_gv6ZWBXA1sbyxpGeJ82pt4nX7HKEwrCTSsaoCqWd4',
  y: 'DZKM0PuCHRyItfag2cJgQn0EHlButG15ljWtSQASr5A',
}
