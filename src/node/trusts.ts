/** Apart from what else stands at the door of the node floor: commands load it alone. */
export { trusts } from './proxy/index.js'
