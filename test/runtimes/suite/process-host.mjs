import { readFileSync } from 'node:fs'
import { platformCrypto } from 'portcullis/crypto'
import { nodeCrypto } from '../../../src/node/crypto.ts'
import { runSuite, webCrypto } from './suite.ts'

// For runtimes with files and node:crypto: Node, Bun, Deno. Bun reads no PSS keys.
await runSuite(readFileSync(process.argv.at(-1), 'utf8'), {
  'node:crypto': nodeCrypto,
  'portcullis/crypto': platformCrypto,
  ...(process.versions.bun === undefined && {
    'node:crypto, PSS keys': () => nodeCrypto({ pssKeys: true }),
  }),
  WebCrypto: webCrypto,
})
