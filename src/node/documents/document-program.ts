import { readOperations } from '../../management/index.js'
import { isAssignment } from './assignment.js'

// Whoever started it ends it: a signal to the whole group, as of Ctrl-C, lets requests finish.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

/** What a process of its own runs: it reads the one document that it is sent, and ends. */
process.once('message', async (assignment: unknown) => {
  if (!isAssignment(assignment)) throw new TypeError('expected a document and facts of its zone')
  const reading = await readOperations(assignment.text, assignment.zone)
  process.send?.(reading, () => process.disconnect())
})
