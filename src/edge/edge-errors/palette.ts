import { DARK, LIGHT, type Palette } from '../problem/index.js'

/** Red, green and blue, 0 to 255. */
type Colour = readonly [red: number, green: number, blue: number]

/** WCAG AA for text of any size. */
const ENOUGH = 4.5
const BLACK: Colour = [0, 0, 0]
const WHITE: Colour = [255, 255, 255]

/**
 * The colours in light and in dark. An accent is moved towards the ink until it can be read on the
 * paper; one background serves both schemes, and everything else is chosen so that it can be read.
 *
 * @param accent `#rrggbb`
 * @param background `#rrggbb`
 */
export function palettes(
  accent: string | undefined,
  background: string | undefined,
): readonly [light: Palette, dark: Palette] {
  if (background === undefined) return [accented(LIGHT, accent), accented(DARK, accent)]
  const paper = parsed(background)
  const isDark = contrast(paper, WHITE) > contrast(paper, BLACK)
  const ink = isDark ? WHITE : BLACK
  const own: Palette = {
    paper: written(paper),
    ink: written(ink),
    soft: written(readable(mixed(ink, paper, 0.35), paper, ink)),
    line: written(mixed(ink, paper, 0.8)),
    mark: isDark ? DARK.mark : LIGHT.mark,
  }
  const palette = accented(own, accent ?? own.mark)
  return [palette, palette]
}

function accented(palette: Palette, accent: string | undefined): Palette {
  if (accent === undefined) return palette
  const mark = readable(parsed(accent), parsed(palette.paper), parsed(palette.ink))
  return { ...palette, mark: written(mark) }
}

/** The first of the colours on the way to the ink that can be read on the paper. */
function readable(colour: Colour, paper: Colour, ink: Colour): Colour {
  for (let part = 0; part < 1; part += 0.05) {
    const tried = mixed(colour, ink, part)
    if (contrast(tried, paper) >= ENOUGH) return tried
  }
  return ink
}

const mixed = (one: Colour, other: Colour, part: number): Colour => {
  const at = (index: 0 | 1 | 2) => Math.round(one[index] + (other[index] - one[index]) * part)
  return [at(0), at(1), at(2)]
}

const parsed = (text: string): Colour => {
  const at = (index: number) => Number.parseInt(text.slice(index, index + 2), 16)
  return [at(1), at(3), at(5)]
}

const written = (colour: Colour): string =>
  `#${colour.map((value) => value.toString(16).padStart(2, '0')).join('')}`

/** Contrast ratio, WCAG 2. */
function contrast(one: Colour, other: Colour): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

const linear = (value: number): number => {
  const share = value / 255
  return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

function luminance([red, green, blue]: Colour): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}
