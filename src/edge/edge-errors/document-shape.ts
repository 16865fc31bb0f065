import { catalogue } from '../problem/index.js'
import { isColour, isLogo } from './create-brand.js'
import { flag, list, object, oneOf, text, type Report, type Shape } from '../gate/index.js'
import type { ContentType } from './document.js'

/** What real platforms take for a custom page, in characters. */
const LONGEST = 1_500_000
const LONGEST_LOGO = 65_536

const CONTENT_TYPES: readonly ContentType[] = [
  'application/json',
  'text/html',
  'text/markdown',
  'text/plain',
  'text/xml',
]

const CODE = /^[1-9][0-9]{2,3}$/

function matching(
  fits: (text: string) => boolean,
  code: string,
  expected: string,
  max: number,
): Shape {
  const isText = text(max)
  return (value, report) => {
    isText(value, report)
    if (typeof value === 'string' && !fits(value)) report.error(code, expected)
  }
}

const colour = matching(isColour, 'bad_colour', 'expected a colour such as #1a2b3c', 256)
const content = text(LONGEST)

function status(value: unknown, report: Report): void {
  if (!Number.isInteger(value) || Number(value) < 400 || Number(value) > 599)
    report.error('not_allowed', 'expected a status from 400 to 599')
}

const rule = object(
  {
    id: text(64, 1),
    expression: text(),
    action_parameters: object(
      { content, content_type: oneOf(...CONTENT_TYPES) },
      { status_code: status },
    ),
  },
  { enabled: flag, description: text(500) },
)

const branding = object(
  {},
  {
    name: text(100),
    logo: matching(isLogo, 'bad_logo', 'expected a data: URI of an image', LONGEST_LOGO),
    accent: colour,
    background: colour,
    footer: text(500),
  },
)

/** True for `1xxx`, `5xx` and every code of the catalogue. */
const isClass = (name: string): boolean =>
  name === '1xxx' || name === '5xx' || (CODE.test(name) && catalogue.has(Number(name)))

const page =
  (name: string): Shape =>
  (value, report) => {
    if (isClass(name)) content(value, report)
    else report.error('unknown_class', 'expected 1xxx, 5xx or the code of an edge error')
  }

/** The shape of the document; expressions are looked at when they are compiled. */
export const documentShape: Shape = object(
  {},
  { rules: list(rule), pages: object({}, {}, page), branding },
)
