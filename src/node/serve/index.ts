/** Management with gates that follow it. */
export { startMetricsListener, type MetricsListener } from './metrics-listener.js'
export { createServeMetrics } from './serve-metrics.js'
export { startServe, type ServeOptions, type Serving } from './start-serve.js'
