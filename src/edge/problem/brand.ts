import { DARK, LIGHT, pageStyle } from './page-style.js'

/** How pages of a site look, made once for all answers; `createBrand` of `portcullis/errors` makes others. */
export interface Brand {
  readonly style: string
  /** Content-Security-Policy of pages with that style. */
  readonly policy: string
  /** HTML. */
  readonly header: string
  readonly footer: string
}

/** A portcullis: it hangs in front of whatever went wrong. */
const GLYPH =
  '<svg aria-hidden="true" viewBox="0 0 24 24"><path d="M2 2h20v3h-1v4h1v3h-1v6l-1.5 4-1.5-4v-6h-4.500v6L12 22l-1.500-4v-6H6v6l-1.500 4L3 18v-6H2V9h1V5H2zm4 3v4h4.500V5zm7.500 0v4H18V5z"/></svg>'

/** Base64 SHA-256 of the plain style, a constant since the hash of the Web platform is asynchronous. */
const STYLE_HASH = 'ZyjMItmZu9GAGIH+AL45Nl4hnJZ6ECsOYl8EpCTmQ/k='

/** The Content-Security-Policy of a page with the style of this hash (base64 SHA-256). */
export const pagePolicy = (hash: string): string =>
  `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'`

/** The look of who has none of their own. */
export const plainBrand: Brand = {
  style: /* @__PURE__ */ pageStyle(LIGHT, DARK),
  policy: /* @__PURE__ */ pagePolicy(STYLE_HASH),
  header: GLYPH,
  footer: '',
}
