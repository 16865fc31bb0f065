/** Management with gates that follow it. */
export { openStore, type Store, type StorePlace } from './open-store.js'
export { startServe, type ServeOptions, type Serving } from './start-serve.js'
