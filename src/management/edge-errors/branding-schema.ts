import { z } from '@hono/zod-openapi'
import { text } from '../http/index.js'
import { LIMITS } from './limits.js'

const colour = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, 'expected a colour such as #1a2b3c')
  .nullable()

const logo = text(LIMITS.logo)
  .regex(
    /^data:image\/(?:png|jpeg|webp|svg\+xml)[;,]/,
    'expected a data: URI of an image (png, jpeg, webp, svg+xml), so that error pages load nothing',
  )
  .nullable()

const members = {
  name: text(100, 1).nullable(),
  logo,
  accent: colour,
  background: colour,
  footer: text(500, 1).nullable(),
}

/** The look of the default page; null is how it looks by itself. */
export const Branding = z.object(members).openapi('ErrorBranding')
export type Branding = z.output<typeof Branding>

/** A change of it: what is left out stays, or with PUT goes back to its default. */
export const BrandingInput = z.strictObject(members).partial()
export type BrandingInput = z.output<typeof BrandingInput>
