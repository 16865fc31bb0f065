// `portcullis serve` in one process, which waits for its database for no longer than a second.
import { createLogger } from '../../../src/node/log/index.js'
import { startServe } from '../../../src/node/serve/index.js'

const [data, database] = process.argv.slice(2)
const anywhere = { host: '127.0.0.1', port: 0 }
const serving = await startServe({
  data,
  database,
  patience: { answerMs: 1000, goodbyeMs: 300 },
  listen: anywhere,
  gate: anywhere,
  log: createLogger('info'),
})
process.once('SIGTERM', () => void serving.close())
console.log(`The administrator's API token, shown this once: ${serving.firstToken}`)
console.log(`The management API listens on ${serving.managementUrl}`)
console.log(`The gate listens on ${serving.gateUrl}`)
