import { defineConfig } from 'tsup'
import { DOORS } from './build/doors.mjs'

/** The types of what the package opens; `build/join.mjs` makes all else. */
export default defineConfig({ format: 'esm', entry: DOORS, dts: { only: true }, clean: true })
