import { defineConfig } from 'vitest/config'

/** Where tests ask for databases. */
const WITH_DATABASES = ['test/management/**/*.test.ts', 'test/node/{serve,store}/**/*.test.ts']

const shared = {
  // A process for each file would load everything again, which takes a third of the time.
  isolate: false,
  testTimeout: 30_000,
  // A machine that is busy elsewhere may take longer than the second that is usual.
  expect: { poll: { timeout: 10_000 } },
}

export default defineConfig({
  test: {
    // One less is usual, which of two is a half.
    maxWorkers: '100%',
    projects: [
      {
        test: {
          ...shared,
          name: 'databases',
          include: WITH_DATABASES,
          globalSetup: 'test/one-postgres.mjs',
        },
      },
      {
        test: {
          ...shared,
          name: 'others',
          include: ['test/**/*.test.ts'],
          exclude: WITH_DATABASES,
        },
      },
    ],
  },
})
