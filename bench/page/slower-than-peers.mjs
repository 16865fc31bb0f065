import { share } from '../measure/compare-rows.mjs'
import { runtimeLabel } from './runtime-label.mjs'

/**
 * Every pair of what is ours and a peer that did the same in the same rounds.
 *
 * @returns `{ suite, on, group, ours, peer, share }`, where a share above 1 says that the peer was faster
 */
export function pairs(results) {
  return results.flatMap(({ suite, runtime, rows }) => {
    const peers = rows.filter(({ kind }) => kind === 'peer')
    const own = rows.filter(({ kind }) => kind === 'ours')
    return own.flatMap((ours) =>
      peers
        .filter(({ group }) => group === ours.group)
        .map((peer) => ({
          suite,
          on: runtimeLabel(runtime),
          group: ours.group,
          ours,
          peer,
          share: share(ours, peer),
        })),
    )
  })
}

export const slowerThanPeers = (results) => pairs(results).filter(({ share: much }) => much >= 1)
