/** Management with gates that follow it. */
export { startMetricsListener, type MetricsListener } from './metrics-listener.js'
export { createServeMetrics } from './serve-metrics.js'
export { openStore, type Store, type StorePlace } from './open-store.js'
export { startServe, type ServeOptions, type Serving } from './start-serve.js'
