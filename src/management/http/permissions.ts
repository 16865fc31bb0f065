/** Areas that a token may read, or read and edit. */
const AREAS = [
  'accounts',
  'zones',
  'api_tokens',
  'operations',
  'token_validation',
  'edge_errors',
  'audit_log',
] as const
type Area = (typeof AREAS)[number]

/** `edit` includes `read`; `operator` includes everything; `gate` may fetch policies, secrets and all. */
export type Permission = `${Area}:${'read' | 'edit'}` | 'gate' | 'operator'

export const PERMISSIONS: readonly Permission[] = [
  ...AREAS.flatMap((area) => [`${area}:read`, `${area}:edit`] as const),
  'gate',
  'operator',
]

/** Where a grant holds: everywhere, in an account with all its zones, or in one zone. */
export type Scope =
  | { readonly kind: 'all' }
  | { readonly kind: 'account'; readonly id: string }
  | { readonly kind: 'zone'; readonly id: string }

export interface Grant {
  readonly permissions: ReadonlySet<Permission>
  readonly scope: Scope
}

/** Whoever makes a call. */
export interface Actor {
  readonly id: string
  readonly name: string
  readonly grants: readonly Grant[]
}

/** Where something lies: in a zone of an account, in an account, or outside of both. */
export interface Place {
  readonly account_id?: string
  readonly zone_id?: string
}

/** Whether a grant allows something, wherever it holds. */
export function allows({ permissions }: Grant, permission: Permission): boolean {
  return (
    permissions.has('operator') ||
    permissions.has(permission) ||
    (permission.endsWith(':read') &&
      permissions.has(permission.replace(':read', ':edit') as Permission))
  )
}

/** Whether a grant holds at a place. */
export function reaches({ scope }: Pick<Grant, 'scope'>, place: Place): boolean {
  if (scope.kind === 'all') return true
  return scope.id === (scope.kind === 'account' ? place.account_id : place.zone_id)
}

/** `hidden`: no grant reaches there, so it must look as if nothing were there. */
export function mayAt(
  { grants }: Actor,
  permission: Permission,
  place: Place,
): 'allowed' | 'forbidden' | 'hidden' {
  const there = grants.filter((grant) => reaches(grant, place))
  if (there.length === 0) return 'hidden'
  return there.some((grant) => allows(grant, permission)) ? 'allowed' : 'forbidden'
}

/** Where an actor has a permission: what lists are cut down to. `all` makes ids meaningless. */
export function reachOf(
  { grants }: Actor,
  permission: Permission,
): {
  readonly all: boolean
  readonly accounts: readonly string[]
  readonly zones: readonly string[]
} {
  const scopes = grants.filter((grant) => allows(grant, permission)).map(({ scope }) => scope)
  const ids = (kind: Scope['kind']) =>
    scopes.flatMap((scope) => (scope.kind === kind && scope.kind !== 'all' ? [scope.id] : []))
  return {
    all: scopes.some(({ kind }) => kind === 'all'),
    accounts: ids('account'),
    zones: ids('zone'),
  }
}
