/** A key travels to subjects in processes of their own, so that all of them know the same tokens. */
export function sendJwk({ jwk }) {
  process.env.BENCH_JWK = JSON.stringify(jwk)
}

/** In such a process: the key that was sent. */
export const sentJwk = () => JSON.parse(process.env.BENCH_JWK)
