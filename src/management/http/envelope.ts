import { z } from '@hono/zod-openapi'
import { message, type Message } from './message.js'
import { ResultInfo } from './page.js'

/** Messages in one answer: a call may be wrong in more places than anybody reads. */
const MAX_MESSAGES = 100

function bounded(messages: readonly Message[]): readonly Message[] {
  const more = messages.length - MAX_MESSAGES
  if (more <= 0) return messages
  const shown = messages.slice(0, MAX_MESSAGES)
  return [...shown, message(messages[0]!.code, `and ${more} more messages, not shown`)]
}

/** What success looks like (spec 2.1). */
export function success(
  result: unknown,
  messages: readonly Message[],
  info?: ResultInfo,
): Record<string, unknown> {
  return {
    errors: [],
    messages: bounded(messages),
    result,
    success: true,
    ...(info !== undefined && { result_info: info }),
  }
}

/** What failure looks like. */
export const failure = (errors: readonly Message[]): Record<string, unknown> => ({
  errors: bounded(errors),
  messages: [],
  result: null,
  success: false,
})

const MessageOfAnswer = z
  .object({
    code: z.number().int(),
    message: z.string(),
    documentation_url: z.string().optional(),
    source: z.object({ pointer: z.string().optional() }).optional(),
  })
  .openapi('Message')

/** The schema of an answer with this result. */
export const successSchema = (result: z.ZodType, paged: boolean): z.ZodType =>
  z.object({
    errors: z.array(MessageOfAnswer),
    messages: z.array(MessageOfAnswer),
    result,
    success: z.literal(true),
    ...(paged && { result_info: ResultInfo }),
  })

export const Failure = z
  .object({
    errors: z.array(MessageOfAnswer).min(1),
    messages: z.array(MessageOfAnswer),
    result: z.null(),
    success: z.literal(false),
  })
  .openapi('Failure')
