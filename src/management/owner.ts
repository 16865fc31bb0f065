import { PERMISSIONS, type Actor } from './http/index.js'

/** Whoever may open the store itself: may do everything there is. */
export const OWNER: Actor = {
  id: 'command-line',
  name: 'Command line',
  grants: [{ permissions: new Set(PERMISSIONS), scope: { kind: 'all' } }],
}
