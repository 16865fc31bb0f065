import { createRequire } from 'node:module'

/** The version of this package. */
export function packageVersion(): string {
  // By the package's own name, which resolves alike from sources and from the bundle.
  const manifest: unknown = createRequire(import.meta.url)('portcullis/package.json')
  return (manifest as { version: string }).version
}
