import type { ChildProcess } from 'node:child_process'
import {
  errorOf,
  HELLO,
  type Answered,
  type Given,
  type News,
  type Question,
  type Reply,
  type TaskName,
} from './messages.js'

/** The other end of a worker. */
export interface WorkerLink {
  readonly pid: number
  /**
   * Asks for something. A worker that does not answer in time is ended: it hangs, and another one
   * is better than it.
   * @throws what it threw there, as a rejection; {WorkerEnded} when it ends before it answers
   */
  ask<Name extends TaskName>(
    task: Name,
    given: Given<Name>,
    withinMs?: number,
  ): Promise<Answered<Name>>
  /** How it ended, in words. */
  readonly ended: Promise<string>
  kill(): void
}

/** A worker that is no more. */
export class WorkerEnded extends Error {
  override readonly name = 'WorkerEnded'
}

/** Compiling takes a fraction of a second; a machine may be busy. */
const WITHIN_MS = 30_000
/** A timer that comes so late tells of this process: it was stopped, and has read no answer meanwhile. */
const STOOD_STILL_MS = 1000

/** Who waits for a reply. */
interface Waiting {
  // Of what kind an answer is, only who asked knows.
  answered(reply: Reply<never>): void
  lost(cause: WorkerEnded): void
}

export function workerLink(child: ChildProcess, heard: (news: News) => void): WorkerLink {
  const waiting = new Map<number, Waiting>()
  let asked = HELLO
  let over: WorkerEnded | undefined
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
    // One that could not even be started; of one that could, what cannot be sent to it.
    child.on('error', (cause) => child.pid ?? resolve(cause.message))
  })
  // Once for all questions: what each of them hung on it would stay for as long as the worker lives.
  void ended.then((how) => {
    over = new WorkerEnded(`a worker ended: ${how}`)
    for (const { lost } of waiting.values()) lost(over)
  })
  child.on('message', (message: Reply<never> | News) => {
    if ('id' in message) waiting.get(message.id)?.answered(message)
    else heard(message)
  })

  const replyTo = <Answer>(id: number): Promise<Reply<Answer>> =>
    new Promise<Reply<Answer>>((answered, lost) => {
      if (over === undefined) waiting.set(id, { answered, lost })
      else lost(over)
    }).finally(() => waiting.delete(id))

  const hello = replyTo(HELLO)
  // It is told to those who ask.
  hello.catch(() => {})
  const kill = () => void child.kill('SIGKILL')
  return {
    pid: child.pid ?? 0,
    ended,
    kill,
    async ask<Name extends TaskName>(task: Name, given: Given<Name>, withinMs = WITHIN_MS) {
      const id = ++asked
      let timer: NodeJS.Timeout
      const watch = () => {
        const due = performance.now() + withinMs
        const late = () => (performance.now() - due > STOOD_STILL_MS ? watch() : kill())
        timer = setTimeout(late, withinMs)
      }
      watch()
      try {
        await hello
        if (child.connected) child.send({ id, task, given } satisfies Question<Name>)
        const replied = await replyTo<Answered<Name>>(id)
        if ('fault' in replied) throw errorOf(replied.fault)
        return replied.answer
      } finally {
        clearTimeout(timer!)
      }
    },
  }
}
