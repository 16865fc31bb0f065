/** Apart from what else stands at the door of the node floor: commands ask it before the proxy is loaded. */
export { trusts } from './proxy/index.js'
