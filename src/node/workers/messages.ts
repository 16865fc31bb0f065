import { PolicyError, type PolicyIssue } from '../../edge/index.js'
import type { GateCounts } from './gate-counts.js'
import type { GatePlace, UnknownKeysHearer } from './gates.js'
import type { Shipment } from './shipment.js'

/** What a worker is asked for, and what it answers with. */
export interface Tasks {
  /** First of all: where it will listen, and how it tells what happens. */
  start(start: { readonly place: GatePlace; readonly voice: unknown }): void
  put(shipment: Shipment): readonly PolicyIssue[]
  listen(nothing: undefined): string
  count(nothing: undefined): GateCounts
  /** The last thing: the counts at the end. */
  close(graceMs: number): GateCounts
}

export type TaskName = keyof Tasks
export type Given<Name extends TaskName> = Parameters<Tasks[Name]>[0]
export type Answered<Name extends TaskName> = ReturnType<Tasks[Name]>

/** The id of what a worker sends first: whatever comes before it listens would be lost. */
export const HELLO = 0

/** To a worker. */
export interface Question {
  readonly id: number
  readonly task: TaskName
  readonly given: unknown
}

/** From a worker: the answer to a question, or why there is none. */
export type Reply =
  { readonly id: number; readonly answer: unknown } | { readonly id: number; readonly fault: Fault }

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
