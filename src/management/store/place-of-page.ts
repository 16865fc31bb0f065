/** A page of rows, counted from 1. */
export interface PageOfRows {
  readonly page: number
  readonly per_page: number
  readonly direction?: 'asc' | 'desc'
}

/** Where a page lies in so many rows in ascending order: at which number, from 0, and how many. */
export function placeOfPage(
  { page, per_page, direction = 'asc' }: PageOfRows,
  found: number,
): { readonly number: number; readonly many: number } {
  const passed = (page - 1) * per_page
  const many = Math.max(0, Math.min(per_page, found - passed))
  // The pages of a descending list are cut from its end.
  return { number: direction === 'asc' ? passed : found - passed - many, many }
}
