import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    // A machine that is busy elsewhere may take longer than the second that is usual.
    expect: { poll: { timeout: 10_000 } },
  },
})
