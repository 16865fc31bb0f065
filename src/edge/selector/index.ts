export {
  covers,
  coverage,
  createCovering,
  type Coverage,
  type Covering,
  type Selector,
} from './covers.js'
export { endpointSegments } from './endpoint.js'
export { HostCandidates } from './host-candidates.js'
export { canonicalHost, requestHost } from './host.js'
export { isOrigin } from './is-origin.js'
export { isPlain, normalisePath } from './path.js'
export { Router, type Operation } from './router.js'
