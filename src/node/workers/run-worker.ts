import { givingWay } from '../giving-way.js'
import { gateHere } from './gate-here.js'
import type { GateHooks, Gates } from './gates.js'
import {
  faultFrom,
  HELLO,
  type Answered,
  type Given,
  type News,
  type Question,
  type Reply,
  type TaskName,
} from './messages.js'
import { seldomUnknownKeys } from './seldom-unknown-keys.js'
import { unpack, zonesOf } from './shipment.js'

type Worker = { readonly [Name in TaskName]: (given: Given<Name>) => Promise<Answered<Name>> }

/**
 * Makes this process a worker: a gate that does what the process that started it asks for, and ends
 * with it.
 *
 * @param hooksOf what the gate tells, by the `voice` that it is started with
 */
export function runWorker(hooksOf: (voice: unknown) => GateHooks): void {
  // A signal to the whole group reaches whoever started this process as well, and that one tells.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
  process.on('disconnect', () => process.exit())
  if (!process.connected) process.exit()
  const worker = createWorker(hooksOf)
  let last = Promise.resolve()
  process.on('message', (question: Question) => {
    const reply = async () => {
      const replied = await replyOf(worker, question)
      tell(replied, () => question.task === 'close' && endPrinted())
    }
    // Counting waits for nothing; everything else is done in the order of the questions.
    if (question.task === 'count') void reply()
    else last = last.then(reply)
  })
  tell({ id: HELLO, answer: undefined })
}

/** Ends once whoever reads the output has taken all of it: what waits for them would be lost. */
function endPrinted(): void {
  // What is said in this turn may be written at its end.
  setImmediate(() => process.stdout.write('', () => process.stderr.write('', () => process.exit())))
}

/** Where nobody hears it, this process ends with them: without `told` it would do so with a stack. */
function tell(message: Reply | News, told: () => unknown = () => {}): void {
  process.send?.(message, told)
}

async function replyOf<Name extends TaskName>(
  worker: Worker,
  { id, task, given }: Question<Name>,
): Promise<Reply<Answered<Name>>> {
  try {
    return { id, answer: await worker[task](given) }
  } catch (cause) {
    return { id, fault: faultFrom(cause) }
  }
}

function createWorker(hooksOf: (voice: unknown) => GateHooks): Worker {
  let gates: Gates | undefined
  let there: readonly unknown[] = []
  const started = () => {
    if (gates === undefined) throw new TypeError('expected to be started first')
    return gates
  }
  return {
    async start({ place, voice }) {
      // A flood of made-up keys is none of messages.
      const onUnknownKeys = seldomUnknownKeys(
        (...unknownKeys) => tell({ unknownKeys }),
        () => performance.now(),
      )
      gates = gateHere(place, { ...hooksOf(voice), onUnknownKeys })
    },
    async put(shipment) {
      const policy = await unpack(shipment, there, givingWay())
      await started().put(policy)
      there = zonesOf(policy)
      return started().notices
    },
    listen: () => started().listen(),
    count: () => started().counts(),
    async close(graceMs) {
      await started().close(graceMs)
      return started().counts()
    },
  }
}
