import { ApiError, message, type Message } from '../http/index.js'
import { CODES } from './codes.js'
import { contrast } from './contrast.js'
import type { Branding } from './branding-schema.js'

/** What text needs by WCAG 2.2, level AA, and what anything else needs that has to be seen. */
const TEXT = 4.5
const SIGN = 3

/** The page's own text, and its paper in light and dark. */
const INKS = ['#22201c', '#ebe6dc']
const PAPERS = ['#f7f5f0', '#171614']

/**
 * What is to be told of a branding.
 * @throws {ApiError} 400 for colours that text could not be read in
 */
export function checkBranding({ accent, background }: Branding): readonly Message[] {
  if (background !== null) {
    const best = Math.max(...INKS.map((ink) => contrast(ink, background)))
    if (best < TEXT)
      throw poor(`no text is easy to read on it: the contrast is ${shown(best)}`, '/background')
    const own = accent === null ? TEXT : contrast(accent, background)
    if (own < TEXT) throw poor(`its contrast with the background is ${shown(own)}`, '/accent')
    return []
  }
  const least = accent === null ? SIGN : Math.min(...PAPERS.map((paper) => contrast(accent, paper)))
  if (least >= SIGN) return []
  const text = `its contrast with the light or the dark page is ${shown(least)}, less than ${SIGN}: choose a background, or another`
  return [message(CODES.branding_notice, text, '/accent')]
}

const poor = (text: string, pointer: string): ApiError =>
  new ApiError(400, CODES.poor_contrast, `${text}, and WCAG AA asks for ${TEXT}`, pointer)

const shown = (ratio: number): string => (Math.floor(ratio * 100) / 100).toFixed(2)
