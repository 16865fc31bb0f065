import { catalogue, type ProblemKind } from './catalogue.js'
import { printable } from './printable.js'
import type { PlainProblem, Problem, ProblemContext } from './problem.js'
import { rayId } from './ray-id.js'
import { retrySeconds } from './retry-after.js'
import { zoneName } from './zone-name.js'

const STATUS = /^[45][0-9]{2}$/
const TYPE_BASE = /^(?:https?:\/)?\/[!-~]*$/
const CREDENTIALS =
  '**Fix the request.** Send the credentials that the WWW-Authenticate header asks for.'

/** The facts of one occurrence that do not depend on its code. */
export interface Occurrence {
  readonly ray_id: string
  readonly timestamp: string
  readonly zone: string
  readonly footer: string
}

// Writing a time costs more than anything else an answer needs, and a second holds many answers.
let written = { second: Number.NaN, text: '' }

/** UTC in whole seconds, as in `2026-04-24T09:22:40Z`. */
function timestampOf(now: number): string {
  const second = Math.floor(now / 1000)
  if (written.second !== second) {
    written = { second, text: `${new Date(second * 1000).toISOString().slice(0, 19)}Z` }
  }
  return written.text
}

/** Fixes trace id, time, zone and attribution of one occurrence. */
export function occurrenceOf(context: ProblemContext, ray: string): Occurrence {
  const { brand, footer, vendor } = context
  return {
    ray_id: ray.slice(0, 16),
    timestamp: timestampOf(context.now),
    zone: zoneName(context.zone),
    footer:
      brand?.footer ||
      printable(footer) ||
      `Answered by ${printable(vendor) || 'Portcullis'} on behalf of the operator of this site.`,
  }
}

function typeOf(code: number, zone: string, base: string | undefined): string {
  if (base !== undefined && TYPE_BASE.test(base)) return base + code
  // RFC 9457 allows a relative reference; there is no host to name when it is unknown.
  return `${zone === 'unknown' ? '' : `https://${zone}`}/cdn-cgi/error/${code}`
}

function verdict(seconds: number | undefined, fixable: boolean): string {
  if (seconds === undefined) return fixable ? '**Fix the request.**' : '**Do not retry.**'
  return `**Wait ${seconds} second${seconds === 1 ? '' : 's'}, then retry.**`
}

function kindOf(code: number): ProblemKind {
  const kind = catalogue.get(code)
  if (kind === undefined) throw new TypeError(`unknown edge error code ${String(code)}`)
  return kind
}

/**
 * The HTTP status of an answer to an edge error: the one given, if it is from 400 to 599, else that
 * of the code.
 *
 * @throws TypeError when the catalogue has no such code.
 */
export function statusOf(code: number, given?: number | undefined): number {
  const kind = kindOf(code)
  return STATUS.test(String(given)) ? Number(given) : kind.status
}

/**
 * The problem object of a code (spec 7.2), its members in the order of the wire.
 *
 * @param ray trace id as the `cf-ray` header has it, where that is settled already
 * @throws TypeError when the catalogue has no such code.
 */
export function describe(
  code: number,
  context: ProblemContext,
  ray: string = rayId(context.rayId, context.random),
): Problem {
  const kind = kindOf(code)
  const { ray_id, timestamp, zone, footer } = occurrenceOf(context, ray)
  const status = statusOf(code, context.status)
  const seconds =
    kind.retryAfter && (retrySeconds(context.retryAfter, context.now) ?? kind.retryAfter)
  return {
    type: typeOf(code, zone, context.typeBase),
    title: kind.title,
    status,
    detail: kind.detail,
    instance: ray_id,
    error_code: code,
    error_name: kind.name,
    error_category: kind.category,
    ray_id,
    timestamp,
    zone,
    cloudflare_error: true,
    retryable: seconds !== undefined,
    ...(seconds !== undefined && { retry_after: seconds }),
    owner_action_required: kind.ownerActionRequired,
    what_you_should_do:
      status === 401 ? CREDENTIALS : `${verdict(seconds, kind.fixable)} ${kind.advice}`,
    footer,
  }
}

/** What to say when the catalogue has no code for it; texts come from the program, never a client. */
export interface PlainKind {
  readonly status: number
  /** By RFC 9457 the phrase of the status, since the type is `about:blank`. */
  readonly title: string
  readonly detail: string
  readonly advice: string
}

/** A problem without a code: type `about:blank`, no members of the catalogue; `ray` as above. */
export function describePlain(
  kind: PlainKind,
  context: ProblemContext,
  ray: string = rayId(context.rayId, context.random),
): PlainProblem {
  const { ray_id, timestamp, zone, footer } = occurrenceOf(context, ray)
  return {
    type: 'about:blank',
    title: kind.title,
    status: kind.status,
    detail: kind.detail,
    instance: ray_id,
    ray_id,
    timestamp,
    zone,
    retryable: false,
    owner_action_required: false,
    what_you_should_do: kind.advice,
    footer,
  }
}
