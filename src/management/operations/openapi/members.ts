/** An object of a document: what strangers wrote, by any name. */
export type Members = ReadonlyMap<string, unknown>

/** The own members of an object; `undefined` for what is none. */
export function membersOf(value: unknown): Members | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  return new Map(Object.entries(value))
}

/** Lists of a document; nothing for what is none. */
export const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
