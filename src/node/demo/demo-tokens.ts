import { SignJWT, type JWTPayload } from 'jose'
import type { DemoKey, DemoKeys } from './demo-keys.js'

/** Every token the demo speaks of. */
export interface DemoTokens {
  readonly customer: string
  readonly admin: string
  readonly partner: string
  readonly machine: string
  readonly expired: string
  /** The customer's token with another subject under the old signature. */
  readonly tampered: string
  /** `alg: none`, the oldest trick. */
  readonly unsigned: string
  /** An HMAC made with the issuer's public key, under the issuer's kid. */
  readonly confused: string
}

/** Signs fresh tokens, good for `minutes` from `now` (milliseconds since the epoch). */
export async function makeDemoTokens(
  keys: DemoKeys,
  now: number,
  minutes = 60,
): Promise<DemoTokens> {
  const seconds = Math.floor(now / 1000)
  const until = seconds + minutes * 60
  const customer = await sign(keys.customers, { sub: 'customer-17', role: 'buyer', exp: until })
  return {
    customer,
    admin: await sign(keys.customers, { sub: 'admin-1', role: 'admin', exp: until }),
    partner: await sign(keys.partners, { sub: 'acme', exp: until }),
    machine: await sign(keys.machines, { sub: 'cron', exp: until }),
    expired: await sign(keys.customers, { sub: 'customer-17', exp: seconds - 3600 }),
    tampered: withPayload(customer, { sub: 'admin-1', role: 'admin', exp: until }),
    unsigned: unsigned(keys.customers.kid, { sub: 'admin-1', exp: until }),
    confused: await confused(keys.customers, { sub: 'admin-1', exp: until }),
  }
}

function sign({ alg, kid, sign: key }: DemoKey, payload: JWTPayload): Promise<string> {
  return new SignJWT(payload).setProtectedHeader({ alg, kid, typ: 'JWT' }).sign(key)
}

function confused({ kid, jwk }: DemoKey, payload: JWTPayload): Promise<string> {
  const publicKey = new TextEncoder().encode(JSON.stringify(jwk))
  return new SignJWT(payload).setProtectedHeader({ alg: 'HS256', kid }).sign(publicKey)
}

function withPayload(token: string, payload: JWTPayload): string {
  const [header, , signature] = token.split('.')
  return `${header}.${encoded(payload)}.${signature}`
}

function unsigned(kid: string, payload: JWTPayload): string {
  return `${encoded({ alg: 'none', kid })}.${encoded(payload)}.`
}

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
