import { platformCrypto } from 'portcullis/crypto'
import { runSuite, webCrypto } from './suite.ts'

/** For workerd. */
export default {
  test: (_controller, { input }) =>
    runSuite(input, { 'portcullis/crypto': platformCrypto, WebCrypto: webCrypto }),
}
