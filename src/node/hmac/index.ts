/** HMACs (RFC 2104), by what each runtime makes them of in the least time. */
export { hmacCheck } from './hmac-check.js'
