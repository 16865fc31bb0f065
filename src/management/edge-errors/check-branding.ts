import { message, type Message } from '../http/index.js'
import type { Branding } from './branding-schema.js'
import { CODES } from './codes.js'
import { contrast } from './contrast.js'

/** What text needs, by WCAG 2.2 level AA. */
const ENOUGH = 4.5

/**
 * What is to be told of a branding. Pages move an accent that could not be read towards their ink,
 * which is black or white on a background of one's own; without one they do so by day or by night
 * for any accent, which is no news.
 */
export function checkBranding({ accent, background }: Branding): readonly Message[] {
  if (accent === null || background === null) return []
  const ratio = contrast(accent, background)
  if (ratio >= ENOUGH) return []
  const shown = (Math.floor(ratio * 100) / 100).toFixed(2)
  const text = `its contrast with the background is ${shown}, and WCAG AA asks for ${ENOUGH}: pages show a tone of it that can be read`
  return [message(CODES.branding_notice, text, '/accent')]
}
