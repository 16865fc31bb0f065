import { rmSync } from 'node:fs'

/** What earlier builds made would go into the package as well. */
rmSync('dist', { recursive: true, force: true })
