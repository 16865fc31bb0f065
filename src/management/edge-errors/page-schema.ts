import { z } from '@hono/zod-openapi'
import { text } from '../http/index.js'
import { LIMITS } from './limits.js'

const state = z.enum(['default', 'customized'])

/** An error page as answers show it; its `content` only where one page is asked for. */
export const Page = z
  .object({
    id: z.string(),
    description: z.string(),
    required_tokens: z.array(z.string()),
    preview_target: z.string(),
    created_on: z.string(),
    modified_on: z.string(),
    url: z.string().nullable(),
    state,
    content: z.string().nullable().optional(),
  })
  .openapi('ErrorPage')

const PLACEHOLDERS = [
  `HTML, at most ${LIMITS.page} bytes.`,
  'Placeholders in it become text that is escaped: `::RAY_ID::`, `::ERROR_CODE::`, `::ERROR_TITLE::`,',
  '`::ZONE::`, `::TIMESTAMP::`. `::CLOUDFLARE_ERROR_1000S_BOX::` and `::CLOUDFLARE_ERROR_500S_BOX::`',
  'become what happened and what to do.',
].join(' ')

/** What a page is to be: its default, HTML at an address that is fetched once, or HTML itself. */
export const PageInput = z
  .object({
    state,
    url: text(2048).nullish().openapi({
      description: 'Fetched once, now. Save the same again to fetch it again.',
    }),
    content: z.string().nullish().openapi({ description: PLACEHOLDERS }),
  })
  .refine(
    ({ state: to, url, content }) => to === 'default' || !url !== !content,
    'expected a url or a content for a customized page, and not both',
  )
export type PageInput = z.output<typeof PageInput>
