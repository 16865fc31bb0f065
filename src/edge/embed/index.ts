/**
 * A gate in front of a server: for fetch, Hono, Express and Connect. What it refuses is answered
 * with a structured error.
 * @packageDocumentation
 */
export { type EmbedOptions } from './admit.js'
export { connectGate, type ConnectRequest, type ConnectResponse } from './connect-gate.js'
export { fetchGateRequest } from './fetch-gate-request.js'
export { guardFetch, type FetchHandler } from './guard-fetch.js'
export { honoGate } from './hono-gate.js'
export { NodeGateRequest, type NodeRequest, type NodeRequestFacts } from './node-gate-request.js'
export { refusal, type OwnAnswers } from './refusal.js'
export { foldedName, headerEdits, type HeaderEdits } from '../gate/index.js'
