/** Calls to addresses that strangers name. */
export {
  createOutbound,
  type Outbound,
  type OutboundAnswer,
  type OutboundOptions,
  type OutboundRequest,
} from './outbound.js'
export { OutboundError, type OutboundErrorCode } from './outbound-error.js'
