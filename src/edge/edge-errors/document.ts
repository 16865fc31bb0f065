import type { Branding } from './create-brand.js'

/**
 * How a zone answers edge errors: the member `edge_errors` of its policy, plain JSON in the wire's
 * words. Rules come before pages, pages before the negotiated default (spec 7.2).
 */
export interface EdgeErrorsDocument {
  /** In order of precedence: the first enabled rule whose expression holds answers. */
  readonly rules?: readonly ErrorRule[]
  /** HTML by class: `1xxx`, `5xx`, or a single code such as `1020`, which beats its class. */
  readonly pages?: Readonly<Record<string, string>>
  /** How the default page looks. */
  readonly branding?: Branding
}

/** A custom error rule. */
export interface ErrorRule {
  readonly id: string
  /** In the Rules language, over the fields of `errorScheme`. */
  readonly expression: string
  /** Default true. */
  readonly enabled?: boolean
  readonly description?: string
  readonly action_parameters: {
    /** Served as it is written. */
    readonly content: string
    readonly content_type: ContentType
    /** 400 to 599. Default: the status of the error. */
    readonly status_code?: number
  }
}

/** Media types that a rule may serve. */
export type ContentType =
  'application/json' | 'text/html' | 'text/markdown' | 'text/plain' | 'text/xml'
