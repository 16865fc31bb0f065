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

export function workerLink(child: ChildProcess, heard: (news: News) => void): WorkerLink {
  // Of what kind an answer is, only who asked knows.
  const waiting = new Map<number, (reply: Reply<never>) => void>()
  const hello = new Promise<unknown>((resolve) => waiting.set(HELLO, resolve))
  let asked = HELLO
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
    // One that could not even be started; of one that could, what cannot be sent to it.
    child.on('error', (cause) => child.pid ?? resolve(cause.message))
  })
  child.on('message', (message: Reply<never> | News) => {
    if ('id' in message) waiting.get(message.id)?.(message)
    else heard(message)
  })
  const kill = () => void child.kill('SIGKILL')
  return {
    pid: child.pid ?? 0,
    ended,
    kill,
    async ask<Name extends TaskName>(task: Name, given: Given<Name>, withinMs = WITHIN_MS) {
      const id = ++asked
      const timer = setTimeout(kill, withinMs)
      const reply = new Promise<Reply<Answered<Name>>>((resolve) => waiting.set(id, resolve))
      const gone = ended.then((how) => Promise.reject(new WorkerEnded(`a worker ended: ${how}`)))
      try {
        await Promise.race([hello, gone])
        if (child.connected) child.send({ id, task, given } satisfies Question<Name>)
        const replied = await Promise.race([reply, gone])
        if ('fault' in replied) throw errorOf(replied.fault)
        return replied.answer
      } finally {
        clearTimeout(timer)
        waiting.delete(id)
      }
    },
  }
}
