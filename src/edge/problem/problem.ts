import type { Brand } from './brand.js'
import type { Category } from './catalogue.js'
import type { RandomBytes } from './ray-id.js'

/** What is known of the request and what the operator configured. Only `now` is required. */
export interface ProblemContext {
  /** Host the client asked for, untrusted; a port is cut off, an invalid name shown as `unknown`. */
  readonly zone?: string | null | undefined
  /** Trace id of upstream, used if it has the shape of one; else a random one is made. */
  readonly rayId?: string | undefined
  /** At least 8 random bytes for a new ray id; the Web platform's generator by default. */
  readonly random?: RandomBytes | undefined
  /** Epoch milliseconds. */
  readonly now: number
  /** Replaces the status of the code, in the body too: 400 to 599, else ignored. */
  readonly status?: number | undefined
  /** A `Retry-After` already set (seconds or HTTP date); counts for retryable codes only. */
  readonly retryAfter?: string | number | null | undefined
  /** The whole attribution line; by default one that names `vendor`. */
  readonly footer?: string | undefined
  /** Name of the software or company in the attribution line; `Portcullis` by default. */
  readonly vendor?: string | undefined
  /** The site's own look, of `createBrand` (`portcullis/errors`); its footer, if it has one, beats `footer`. */
  readonly brand?: Brand | undefined
  /** Prefix of the `type` URI, the code is appended; `https://<zone>/cdn-cgi/error/` by default. */
  readonly typeBase?: string | undefined
  /** More headers, such as `WWW-Authenticate`. Invalid pairs and headers of our own are dropped. */
  readonly headers?: Iterable<readonly [name: string, value: string]> | undefined
}

/** What every problem of the edge says, also one without a code of the catalogue. */
export interface PlainProblem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly instance: string
  readonly ray_id: string
  readonly timestamp: string
  readonly zone: string
  readonly retryable: boolean
  readonly retry_after?: number
  readonly owner_action_required: boolean
  readonly what_you_should_do: string
  readonly footer: string
}

/** The JSON object of spec 7.2 (RFC 9457, flat); its members are created in the order of the wire. */
export interface Problem extends PlainProblem {
  readonly error_code: number
  readonly error_name: string
  readonly error_category: Category
  readonly cloudflare_error: true
}
