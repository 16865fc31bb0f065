import { defineConfig } from 'vitest/config'

/** Where tests ask for databases. */
const WITH_DATABASES = ['test/management/**/*.test.ts', 'test/node/{serve,store}/**/*.test.ts']
/** Where nothing but functions is tested: a process for each file would cost more than the tests. */
const FUNCTIONS = ['test/edge/**/*.test.ts']

const shared = {
  testTimeout: 30_000,
  // A machine that is busy elsewhere may take longer than the second that is usual.
  expect: { poll: { timeout: 10_000 } },
}

export default defineConfig({
  test: {
    // One less is usual, which of two is a half.
    maxWorkers: '100%',
    projects: [
      { test: { ...shared, name: 'functions', include: FUNCTIONS, isolate: false } },
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
          exclude: [...FUNCTIONS, ...WITH_DATABASES],
        },
      },
    ],
  },
})
