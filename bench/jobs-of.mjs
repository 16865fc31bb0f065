/**
 * Which suite runs on which runtime, in the order of the suites. `node` is the one that runs the
 * benchmark; workerd has none of Node's modules, and is started by a suite of its own.
 *
 * @returns `{ suite, runtime }` for each
 */
export function jobsOf(suites, runtimes) {
  return suites.flatMap((suite) =>
    runtimes
      .filter(({ id }) => id === 'node' || (suite.everywhere && id !== 'workerd'))
      .map((runtime) => ({ suite, runtime })),
  )
}
