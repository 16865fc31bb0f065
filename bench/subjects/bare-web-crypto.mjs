import { webCryptoKey } from './web-crypto-key.mjs'

/** The same floor where only WebCrypto is at hand: `subtle.verify` alone, everything decoded. */
export async function bareWebCrypto(jwk, tokens) {
  const { key, algorithm } = await webCryptoKey(jwk)
  const parts = tokens.map((token) => {
    const dot = token.lastIndexOf('.')
    return [new TextEncoder().encode(token.slice(0, dot)), bytesOf(token.slice(dot + 1))]
  })
  return (i) => {
    const [text, signature] = parts[i % parts.length]
    return crypto.subtle.verify(algorithm, key, signature, text)
  }
}

/** Without Node's Buffer, which not every runtime has. */
function bytesOf(base64url) {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(text, (char) => char.charCodeAt(0))
}
