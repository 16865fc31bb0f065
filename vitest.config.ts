import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Where tests ask for databases. */
const WITH_DATABASES = ['test/management/**/*.test.ts', 'test/node/{serve,store}/**/*.test.ts']

/** Small files that take long, mostly waiting for other processes. */
const LONG = /\/(?:crash|secrets)\/(?:postgres|sqlite)\.test\.ts$/

/** Large files are begun first where nobody knows yet what takes long: these would be waited for. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => Number(LONG.test(moduleId))
    return (await super.sort(files)).sort((a, b) => isLong(b) - isLong(a))
  }
}

const shared = {
  // A process for each file would load everything again, which takes a third of the time.
  isolate: false,
  testTimeout: 30_000,
  // A machine that is busy elsewhere may take longer than the second that is usual.
  expect: { poll: { timeout: 10_000 } },
}

export default defineConfig({
  test: {
    // One less is usual. Many tests wait for other processes, and leave room for one more.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongFirst },
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
