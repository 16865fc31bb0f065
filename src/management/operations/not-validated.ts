import { message, type Message } from '../http/index.js'
import { CODES } from './codes.js'

/** What clients switch on is kept for them, but no gate looks into bodies. */
export const notValidated = (enabled: boolean): readonly Message[] =>
  enabled
    ? [
        message(
          CODES.not_validated,
          'gates judge tokens: requests are not validated against the schema',
          '/validation_enabled',
        ),
      ]
    : []
