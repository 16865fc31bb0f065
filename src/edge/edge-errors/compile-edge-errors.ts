import type { Scheme } from '../expression/index.js'
import { factsOf, PolicyError, Report, type GateRequest } from '../gate/index.js'
import {
  render,
  renderOwn,
  statusOf,
  type ProblemContext,
  type Rendered,
} from '../problem/index.js'
import { acceptOf } from './accept-of.js'
import { compilePage } from './compile-page.js'
import { compileRules, type CompiledErrorRule } from './compile-rules.js'
import { documentShape } from './document-shape.js'
import type { EdgeErrorsDocument } from './document.js'
import { createBrand } from './create-brand.js'
import { ErrorFacts } from './error-facts.js'
import { errorScheme } from './error-scheme.js'

/** An edge error and the request that met it. */
export interface MetError {
  /** A code of the catalogue. */
  readonly code: number
  readonly request: GateRequest
}

/** An answer, and what it comes from (spec 7.2, in order of priority). */
export interface EdgeAnswer extends Rendered {
  readonly by: 'rule' | 'page' | 'default'
  /** Id of the rule that answered. */
  readonly rule?: string
}

/** How a zone answers edge errors. */
export interface EdgeErrors {
  /**
   * Answers an edge error: with the first custom error rule that matches, else with the page
   * configured for it, else in the format that the request asks for. The body is whole for HEAD
   * too; who sends it leaves it out. Never throws for a code of the catalogue.
   *
   * @throws TypeError when the catalogue has no such code.
   */
  answer(met: MetError, context: ProblemContext): EdgeAnswer
  /** A context with the zone's look, for what is always negotiated: `errorPage`. */
  dress(context: ProblemContext): ProblemContext
}

/** What the rest of the zone says about its expressions. */
export interface EdgeErrorsOptions {
  /** Named lists for `in $name`, by type. */
  readonly lists?: Scheme['lists'] | undefined
  /** The zone's `nil_not_equal`. Default false. */
  readonly nilNotEqual?: boolean | undefined
  /** The zone's `merge_slashes`. Default true. */
  readonly mergeSlashes?: boolean | undefined
}

/**
 * Compiles the `edge_errors` of a zone.
 *
 * @throws {PolicyError} with every issue found; pointers are into the document.
 * @example
 * const errors = compileEdgeErrors({ pages: { '5xx': '<h1>Back soon</h1> ::RAY_ID::' } })
 * errors.answer({ code: 522, request }, { zone: request.host, now })
 */
export function compileEdgeErrors(document: unknown, options: EdgeErrorsOptions = {}): EdgeErrors {
  const report = new Report()
  const errors = readEdgeErrors(document, report, options)
  if (report.errors.length > 0) throw new PolicyError(report.errors)
  return errors
}

/** The answers of a zone that has said nothing: all in the format that the request asks for. */
export const plainEdgeErrors: EdgeErrors = /* @__PURE__ */ compileEdgeErrors({})

/** The same for who reads a larger document: everything wrong or odd is reported, nothing is thrown. */
export function readEdgeErrors(
  document: unknown,
  report: Report,
  { lists, nilNotEqual = false, mergeSlashes }: EdgeErrorsOptions = {},
): EdgeErrors {
  const before = report.errors.length
  documentShape(document, report)
  const isSound = report.errors.length === before
  const { rules = [], pages = {}, branding } = isSound ? (document as EdgeErrorsDocument) : {}
  const scheme: Scheme = { ...errorScheme, nilNotEqual, ...(lists && { lists }) }
  const compiled = compileRules(rules, scheme, report.at('rules'))
  const pageOf = new Map(
    Object.entries(pages).map(([name, source]) => [
      name,
      // As good as absent, here as everywhere in the document.
      source === undefined ? source : compilePage(source, report.at('pages', name)),
    ]),
  )
  const brand = branding && createBrand(branding)
  const dress = (context: ProblemContext): ProblemContext =>
    brand ? { ...context, brand } : context
  return {
    dress,
    answer({ code, request }, given) {
      const context = dress(given)
      const facts = () => {
        const asked = factsOf(request, context.now, mergeSlashes)
        return new ErrorFacts(asked, code, statusOf(code, context.status))
      }
      const rule = compiled.length === 0 ? undefined : firstThatHolds(compiled, facts())
      if (rule !== undefined) {
        const status = rule.status ?? context.status
        return { ...renderOwn(code, rule.own, { ...context, status }), by: 'rule', rule: rule.id }
      }
      const page = pageOf.get(String(code)) ?? pageOf.get(code < 1000 ? '5xx' : '1xxx')
      return page === undefined
        ? { ...render(code, acceptOf(request), context), by: 'default' }
        : { ...renderOwn(code, { type: 'text/html', body: page }, context), by: 'page' }
    },
  }
}

function firstThatHolds(
  rules: readonly CompiledErrorRule[],
  facts: ErrorFacts,
): CompiledErrorRule | undefined {
  return rules.find(({ predicate }) => {
    try {
      return predicate.test(facts)
    } catch {
      // A checked expression is total; if that is ever untrue, the client still gets an answer.
      return false
    }
  })
}
