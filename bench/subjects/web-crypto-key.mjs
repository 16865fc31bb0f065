const RSA = { RS: 'RSASSA-PKCS1-v1_5', PS: 'RSA-PSS' }

/**
 * A key as WebCrypto takes it, made once. Peers that are given a JWK or bytes instead import it at
 * every call.
 *
 * @returns `{ key, algorithm }`, the latter for `subtle.verify`
 */
export async function webCryptoKey({ alg, ...jwk }) {
  const bits = Number(alg.slice(2))
  const hash = `SHA-${bits}`
  const kind = alg.slice(0, 2)
  const algorithm = {
    HS: () => ({ name: 'HMAC', hash }),
    RS: () => ({ name: RSA.RS, hash }),
    PS: () => ({ name: RSA.PS, hash, saltLength: bits / 8 }),
    ES: () => ({ name: 'ECDSA', hash, namedCurve: `P-${bits}` }),
  }[kind]()
  const key = await crypto.subtle.importKey('jwk', jwk, algorithm, false, ['verify'])
  return { key, algorithm }
}
