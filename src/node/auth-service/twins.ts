import { foldedName, type HeaderEdits } from '../../edge/embed/index.js'
import type { HeaderLines } from '../proxy/index.js'

/**
 * Whether a client sent a header that some servers read as another one that is to go: `X_User`
 * beside `X-User`. Proxies that copy headers by name would send it on.
 */
export const hasTwin = ({ remove }: HeaderEdits, { names }: HeaderLines): boolean =>
  names.some(
    ({ name, folded }) =>
      remove.includes(name) &&
      remove.some((other) => other !== name && foldedName(other) === folded),
  )
