/** Methods of Node's buffers, taken out once. */
export { bufferMethod } from './buffer-method.js'
export { latin1Text } from './latin1-text.js'
