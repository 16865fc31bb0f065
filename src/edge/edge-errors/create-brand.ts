import {
  escapeHtml,
  pagePolicy,
  pageStyle,
  plainBrand,
  printable,
  type Brand,
} from '../problem/index.js'
import { palettes } from './palette.js'
import { sha256 } from './sha256.js'

/** A site's own look on the default page. */
export interface Branding {
  /** Shown above the error, and the text of the logo. */
  readonly name?: string | undefined
  /** A `data:` URI of an image; nothing else, so that an error page asks nobody for anything. */
  readonly logo?: string | undefined
  /** `#rrggbb`. Made darker or lighter where it could not be read. */
  readonly accent?: string | undefined
  /** `#rrggbb`. One background for light and dark. */
  readonly background?: string | undefined
  /** In place of the attribution line, in every format. */
  readonly footer?: string | undefined
}

const LOGO = /^data:image\/[a-z0-9.+-]+(?:;[a-z0-9=-]+)*,[!#-&(-;=?-~]*$/i
const COLOUR = /^#[0-9a-f]{6}$/i

/** True for a `data:` URI of an image that no attribute can be left with. */
export const isLogo = (text: string): boolean => LOGO.test(text)

/** True for `#rrggbb`. */
export const isColour = (text: string): boolean => COLOUR.test(text)

/**
 * Makes the look that `ProblemContext.brand` takes.
 *
 * @throws TypeError for a logo or a colour that is none.
 */
export function createBrand({ name, logo, accent, background, footer }: Branding): Brand {
  if (logo !== undefined && !isLogo(logo)) throw new TypeError('expected a data: URI of an image')
  for (const colour of [accent, background]) {
    if (colour !== undefined && !isColour(colour)) throw new TypeError('expected #rrggbb')
  }
  const style = pageStyle(...palettes(accent, background))
  const text = escapeHtml(printable(name))
  const mark = logo === undefined ? plainBrand.header : `<img src="${escapeHtml(logo)}" alt="">`
  return {
    style,
    policy: pagePolicy(sha256(style)),
    header: mark + (text === '' ? '' : `<span>${text}</span>`),
    footer: printable(footer),
  }
}
