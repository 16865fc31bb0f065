import { z } from '@hono/zod-openapi'
import {
  ApiError,
  CODES,
  PERMISSIONS,
  type Grant,
  type Permission,
  type Scope,
} from '../http/index.js'

/** Policies of a token in the form that clients send. */
export const Policies = z
  .array(
    z
      .object({
        id: z.string().max(64).optional(),
        effect: z.literal('allow').default('allow'),
        permission_groups: z
          .array(
            z.object({
              id: z.enum(PERMISSIONS as [Permission, ...Permission[]]),
              name: z.string().max(120).optional(),
            }),
          )
          .min(1)
          .max(64),
        resources: z
          .record(
            z.string().max(200),
            z.union([z.literal('*'), z.record(z.string().max(200), z.literal('*'))]),
          )
          .openapi({ example: { 'com.cloudflare.api.account.zone.023e105f4ecef8ad': '*' } }),
      })
      .openapi('TokenPolicy'),
  )
  .min(1)
  .max(64)

export type Policies = z.output<typeof Policies>

const ZONE = /^(?:com\.cloudflare\.api\.account\.zone\.|zone:)([\w-]+|\*)$/
const ACCOUNT = /^(?:com\.cloudflare\.api\.account\.|account:)([\w-]+|\*)$/

/**
 * What policies grant. A resource is a zone, an account (which stands for its zones too), zones
 * within an account, or `*`.
 *
 * @throws {ApiError} 400 for a resource of another kind
 */
export function grantsOf(policies: Policies): readonly Grant[] {
  return policies.flatMap(({ permission_groups, resources }, at) => {
    const permissions = new Set(permission_groups.map(({ id }) => id))
    const names = Object.entries(resources).flatMap(([name, within]) =>
      within === '*' ? [name] : Object.keys(within).map((zone) => inside(name, zone)),
    )
    if (names.length === 0) throw unknownResource(at, 'expected at least one resource')
    return names.map((name) => ({ permissions, scope: scopeOf(name, at) }))
  })
}

/** All zones of an account are the account; one zone is itself. */
const inside = (account: string, zone: string): string =>
  ZONE.exec(zone)?.[1] === '*' ? account : zone

function scopeOf(name: string, at: number): Scope {
  if (name === '*') return { kind: 'all' }
  const [, zone] = ZONE.exec(name) ?? []
  if (zone !== undefined) return zone === '*' ? { kind: 'all' } : { kind: 'zone', id: zone }
  const [, account] = ACCOUNT.exec(name) ?? []
  if (account !== undefined)
    return account === '*' ? { kind: 'all' } : { kind: 'account', id: account }
  throw unknownResource(at, 'expected resources such as com.cloudflare.api.account.zone.<id>')
}

const unknownResource = (at: number, text: string) =>
  new ApiError(400, CODES.invalid_value, text, `/policies/${at}/resources`)
