import { z } from '@hono/zod-openapi'

const DEFAULT_PER_PAGE = 20
const MAX_PER_PAGE = 1000
const MAX_PAGE = 2 ** 31

/** A number in a query: digits, and nothing else that JavaScript reads as one. */
const count = (max: number, otherwise: number) =>
  z
    .string()
    .regex(/^\d{1,10}$/, 'expected a whole number')
    .transform(Number)
    .pipe(z.number().min(1).max(max))
    .default(otherwise)
    .openapi({ type: 'integer', minimum: 1, maximum: max, default: otherwise })

/** The part of a query that asks for a page. */
export const pageQuery = {
  page: count(MAX_PAGE, 1),
  per_page: count(MAX_PER_PAGE, DEFAULT_PER_PAGE),
}

/** Which page is asked for, counted from 1. */
export interface Page {
  readonly page: number
  readonly per_page: number
}

/** How many rows lie before a page. */
export const offsetOf = ({ page, per_page }: Page): number => (page - 1) * per_page

/** Paging as answers tell it (spec 2.1). */
export interface ResultInfo {
  /** Results in this answer. */
  readonly count: number
  readonly page: number
  readonly per_page: number
  /** Without any search parameters. */
  readonly total_count: number
  /** Of what was searched for. */
  readonly total_pages: number
}

export const ResultInfo = z
  .object({
    count: z.number().int(),
    page: z.number().int(),
    per_page: z.number().int(),
    total_count: z.number().int(),
    total_pages: z.number().int(),
  })
  .openapi('ResultInfo')

/** A page of results: `found` match the search, `total` are there. A page past the end is empty. */
export interface Listed<Item> {
  readonly items: readonly Item[]
  readonly found: number
  readonly total: number
}

export const resultInfo = ({ page, per_page }: Page, listed: Listed<unknown>): ResultInfo => ({
  count: listed.items.length,
  page,
  per_page,
  total_count: listed.total,
  total_pages: Math.ceil(listed.found / per_page),
})
