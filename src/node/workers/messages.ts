import { PolicyError, type PolicyIssue } from '../../edge/index.js'
import type { GateCounts } from './gate-counts.js'
import type { GatePlace, UnknownKeysHearer } from './gates.js'
import type { Shipment } from './shipment.js'

/** What a worker is asked for. */
export interface Tasks {
  /** First of all: where it will listen, and how it tells what happens. */
  readonly start: Task<{ readonly place: GatePlace; readonly voice: unknown }, void>
  readonly put: Task<Shipment, readonly PolicyIssue[]>
  readonly listen: Task<undefined, string>
  readonly count: Task<undefined, GateCounts>
  /** The last thing, with the grace in milliseconds: the counts at the end. */
  readonly close: Task<number, GateCounts>
}

/** What it is given with a task, and what it answers with. */
interface Task<In, Out> {
  readonly given: In
  readonly answer: Out
}

export type TaskName = keyof Tasks
export type Given<Name extends TaskName> = Tasks[Name]['given']
export type Answered<Name extends TaskName> = Tasks[Name]['answer']

/** The id of what a worker sends first: whatever comes before it listens would be lost. */
export const HELLO = 0

/** To a worker: a task, with what belongs to it. */
export type Question<Name extends TaskName = TaskName> = {
  readonly [Each in Name]: {
    readonly id: number
    readonly task: Each
    readonly given: Given<Each>
  }
}[Name]

/** From a worker: the answer to a question, or why there is none. */
export type Reply<Answer = Answered<TaskName>> =
  { readonly id: number; readonly answer: Answer } | { readonly id: number; readonly fault: Fault }

/** From a worker, unasked. */
export interface News {
  readonly unknownKeys: Parameters<UnknownKeysHearer>
}

/** An error as data. */
interface Fault {
  readonly message: string
  readonly issues?: readonly PolicyIssue[]
  /** Of an error of the system, such as EADDRINUSE of `listen`. */
  readonly code?: string
  readonly syscall?: string
}

export function faultFrom(cause: unknown): Fault {
  if (!(cause instanceof Error)) return { message: String(cause) }
  const { message } = cause
  if (cause instanceof PolicyError) return { message, issues: cause.issues }
  const { code, syscall } = cause as NodeJS.ErrnoException
  return { message, ...(code !== undefined && { code }), ...(syscall !== undefined && { syscall }) }
}

/** The error that it was, in another process. */
export const errorOf = ({ message, issues, ...system }: Fault): Error =>
  issues === undefined ? Object.assign(new Error(message), system) : new PolicyError(issues)
