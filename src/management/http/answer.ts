import type { Endpoint } from './endpoint.js'
import { success } from './envelope.js'
import type { Message } from './message.js'
import { resultInfo, type Listed, type Page } from './page.js'

/** The JSON of a call that went well, in the endpoint's form. */
export function answer(
  { form }: Endpoint,
  result: unknown,
  messages: readonly Message[],
  query: unknown,
): Record<string, unknown> {
  if (form === 'paged') {
    const listed = result as Listed<unknown>
    return success(listed.items, messages, resultInfo(query as Page, listed))
  }
  const whole = success(result, messages)
  return form === 'flat' ? { ...whole, ...(result as object) } : whole
}
