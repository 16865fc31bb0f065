/** API tokens: who may call the API, and for what. */
export { createAuthenticate } from './authenticate.js'
export { ensureFirstToken } from './first-token.js'
export { tokenRoutes } from './routes.js'
