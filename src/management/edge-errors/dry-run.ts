/** Ends the transaction of a call that was for trial only. */
class DryRun extends Error {
  override readonly name = 'DryRun'
}

/** Runs a change, or tries it: then everything is checked and nothing kept, and the result is null. */
export async function unlessDry<Result>(
  dry: boolean,
  change: (settle: () => void) => Promise<Result>,
): Promise<Result | null> {
  try {
    return await change(() => {
      if (dry) throw new DryRun()
    })
  } catch (cause) {
    if (cause instanceof DryRun) return null
    throw cause
  }
}
