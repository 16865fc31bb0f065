import type { DocumentReader } from '../../management/index.js'

/** What a process is given to read. */
export interface Assignment {
  readonly text: string
  readonly zone: Parameters<DocumentReader>[1]
}

export const isAssignment = (value: unknown): value is Assignment =>
  typeof value === 'object' && value !== null && 'text' in value && 'zone' in value
