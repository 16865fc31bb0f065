import { digest } from './digest.js'

type Policies = readonly {
  readonly permission_groups: readonly { readonly id: string }[]
  readonly resources: unknown
}[]

/**
 * What a token may do and where, from its policies as JSON: equal only for tokens that may do the
 * same. Short, as policies may be longer than what an index takes.
 */
export function reachDigest(policies: string): Promise<string> {
  const granted = (JSON.parse(policies) as Policies).map(({ permission_groups, resources }) => [
    permission_groups.map(({ id }) => id),
    resources,
  ])
  return digest(JSON.stringify(granted))
}
