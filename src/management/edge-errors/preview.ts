import type { z } from '@hono/zod-openapi'
import type { EdgeAnswer, EdgeErrorsDocument } from '../../edge/edge-errors/index.js'
import { ApiError, type Message } from '../http/index.js'
import { readPolicy, type Row, type Services } from '../store/index.js'
import { askedRequest } from './asked-request.js'
import { checkPage } from './check-page.js'
import { edgeErrorsInForce } from './in-force.js'
import { judgeEdgeErrors } from './judge-edge-errors.js'
import { byWidth, pageKind } from './page-identifiers.js'
import { isPaid } from './paid-plan.js'
import type { Preview, PreviewInput } from './preview-schema.js'
import { planRefused } from './save-ruleset.js'
import type { StoredPart } from './stored-part.js'

/** What a preview tells beside its result. */
export interface Previewed {
  readonly result: z.input<typeof Preview>
  readonly messages: readonly Message[]
}

/**
 * What a client of a zone would get for an edge error, by what is in force or by what is given in
 * place of it. The status is that of the error: a rule of token validation may choose another.
 *
 * @throws {ApiError} 400 for rules and pages that are none, 403 for rules on a free plan
 */
export async function preview(
  { db, random }: Pick<Services, 'db' | 'random'>,
  zone: Row<'zones'>,
  input: PreviewInput,
  at: number,
): Promise<Previewed> {
  const request = askedRequest(input, zone.name)
  const stored = await readPolicy(db, zone.id)
  const part = stored?.parts.edge_errors as StoredPart | undefined
  const document = asked(edgeErrorsInForce(part) ?? {}, input, zone)
  const { errors, faults, notices } = judgeEdgeErrors(document, zone, inCall(input.error_code))
  if (faults.length > 0) throw ApiError.of(400, faults)
  const answer = errors.answer(
    { code: input.error_code, request },
    { zone: request.host, now: at / 1000, random: () => random(8) },
  )
  const page = input.page === undefined ? pageFor(input.error_code, part) : undefined
  return {
    result: {
      answered_by: answer.by,
      rule_id: answer.rule ?? null,
      page: answer.by === 'page' ? (page ?? null) : null,
      why: reason(answer, page),
      status: answer.status,
      headers: answer.headers.map(([name, value]) => ({ name, value })),
      body: answer.body,
    },
    // Of what is saved everything odd was told when it was saved.
    messages: notices.filter(({ source }) =>
      Object.hasOwn(given(input), source?.pointer?.split('/')[1] ?? ''),
    ),
  }
}

/** Members that were given in place of saved ones. */
const given = ({ rules, page, branding }: PreviewInput): object =>
  Object.fromEntries(
    Object.entries({ rules, page, branding }).filter(([, value]) => value !== undefined),
  )

function asked(
  saved: EdgeErrorsDocument,
  { error_code, rules, page, branding }: PreviewInput,
  { plan }: Row<'zones'>,
): EdgeErrorsDocument {
  if (rules !== undefined && rules.length > 0 && !isPaid(plan)) throw planRefused('/rules')
  if (page !== undefined) checkPage(page, pageKind(String(error_code))!, '/page')
  const look = Object.entries(branding ?? {}).filter(([, value]) => typeof value === 'string')
  return {
    ...saved,
    ...(rules && {
      rules: rules.map(({ id, expression, enabled, action_parameters }, at) => ({
        id: id ?? `rule-${at + 1}`,
        expression,
        enabled,
        action_parameters,
      })),
    }),
    ...(page !== undefined && { pages: { ...saved.pages, [error_code]: page } }),
    ...(branding && { branding: Object.fromEntries(look) }),
  }
}

/** Where a place of the document is in the call. */
const inCall =
  (code: number) =>
  (pointer: string): string =>
    pointer.replace(`/pages/${code}`, '/page')

/** The narrowest saved page for an error. */
const pageFor = (code: number, part: StoredPart | undefined): string | undefined =>
  (part?.pages ?? [])
    .map(({ identifier }) => identifier)
    .filter((identifier) =>
      [String(code), code < 1000 ? '5xx' : '1xxx'].some((answered) =>
        pageKind(identifier)?.answers.includes(answered),
      ),
    )
    .toSorted(byWidth)
    .at(-1)

function reason({ by, rule, problem }: EdgeAnswer, page: string | undefined): string {
  if (by === 'rule') return `the expression of the rule ${rule} is the first that holds`
  if (by === 'page')
    return `no rule holds, and ${page === undefined ? 'the given page' : `the page ${page}`} is for error ${problem.error_code}`
  return `no rule holds and no page is for error ${problem.error_code}: the format is what Accept asks for`
}
