import type { OpenToken } from './open-token.js'

export type Open = (token: string) => OpenToken | undefined

/** A reader of tokens that has the last one open still: who reads its claims asks for it again. */
export function keepingLast(open: Open): Open {
  let last = ''
  let opened: OpenToken | undefined
  return (token) => {
    if (token !== last) {
      opened = open(token)
      last = token
    }
    return opened
  }
}
