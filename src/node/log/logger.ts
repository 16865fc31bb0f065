import type { Writable } from 'node:stream'
import { destination, pino, type Logger } from 'pino'

export type { Logger } from 'pino'

/** The words for how much is logged. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/**
 * Logs as JSON, one object a line; every line has the members of `base`.
 *
 * @param to where to; without it standard error, on which each line is when the call returns
 */
export function createLogger(
  level: string,
  base: Readonly<Record<string, unknown>> | null = null,
  to: Writable | undefined = undefined,
): Logger {
  return pino(
    {
      level,
      base,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    to ?? destination({ dest: 2, sync: true }),
  )
}

/** Of an error what tells where it is. Drivers keep more in theirs, such as values of rows. */
export function faultOf(cause: unknown): Readonly<Record<string, unknown>> {
  if (!(cause instanceof Error)) return { fault: typeof cause }
  const code = 'code' in cause && typeof cause.code === 'string' ? { code: cause.code } : {}
  return { fault: cause.name, ...code, message: cause.message, stack: cause.stack }
}
