import type { Operation, Selector } from '../selector/index.js'

/**
 * What a gate is compiled from: plain JSON in the wire's words. A document holds one zone, or
 * several under `zones`.
 */
export type Policy = Zone | { readonly zones: readonly Zone[] }

/** A zone: a host name with everything below it, its token configurations, operations and rules. */
export interface Zone {
  readonly id: string
  /** `example.com` also answers for `api.example.com`, unless another zone is nearer. */
  readonly name: string
  /** Where a proxy sends what passes, such as `http://127.0.0.1:9000`. */
  readonly upstream?: string
  readonly settings?: ZoneSettings
  readonly token_configurations?: readonly TokenConfiguration[]
  readonly operations?: readonly Operation[]
  /** In order of precedence: the first enabled rule that covers an operation decides for it. */
  readonly rules?: readonly TokenValidationRule[]
  /** Named lists for `in $name`, by type: `{ "Ip": { "office": ["192.0.2.0/24"] } }`. */
  readonly lists?: Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>>
  /** How edge errors are answered; `portcullis/errors` reads it, the engine does not look inside. */
  readonly edge_errors?: unknown
}

/** How a zone answers the questions that rules leave open. Every member has a default. */
export interface ZoneSettings {
  /** `cover`: requests that match no operation fall under the rules of an included host. Default `pass`. */
  readonly unlisted_operations?: 'pass' | 'cover'
  /** Status of a blocked request. `auto`: 401 without a valid token, 403 with one. */
  readonly block_status?: 'auto' | 401 | 403
  /** Two sources with different tokens: take the `first` (default) or `reject` both. */
  readonly ambiguous_tokens?: 'first' | 'reject'
  /** `//` counts as `/`, in matching and in what is forwarded. Default true. */
  readonly merge_slashes?: boolean
  /** A comparison `!=` with a missing value is true. Default false. */
  readonly nil_not_equal?: boolean
  /** Headers that carry claims of a valid token upstream; a client's own are always removed. */
  readonly claim_headers?: readonly ClaimHeader[]
  /** Removes the tokens of the deciding rule's configurations on the way upstream. Default false. */
  readonly strip_tokens?: boolean
}

/** One header made from one claim. `claim` is a name, or a path of names into nested objects. */
export interface ClaimHeader {
  readonly header: string
  readonly configuration_id: string
  readonly claim: string | readonly string[]
}

/** Spec 2.2, with keys in request form. */
export interface TokenConfiguration {
  readonly id: string
  readonly title?: string
  readonly description?: string
  readonly token_type?: string
  readonly token_sources: readonly string[]
  readonly credentials: { readonly keys: readonly unknown[] }
}

/** Spec 2.4. `id` defaults to `rule-<n>` and `enabled` to true, so that a file stays short. */
export interface TokenValidationRule {
  readonly id?: string
  readonly title?: string
  readonly description?: string
  readonly action: 'log' | 'block'
  readonly enabled?: boolean
  readonly expression: string
  readonly selector?: Selector | null
}
