/** Gates that run in this process or in others, all the same to whoever hands them policies. */
export { createCounter, type Counter, type Sample } from './counter.js'
export type { GateCounts } from './gate-counts.js'
export { gateHere } from './gate-here.js'
export type { WorkerEvent } from './crew.js'
export { gateWorkers, type GateWorkersOptions } from './gate-workers.js'
export type { GateHooks, GatePlace, Gates, UnknownKeysHearer } from './gates.js'
export { runWorker } from './run-worker.js'
export { WorkerEnded } from './worker-link.js'
