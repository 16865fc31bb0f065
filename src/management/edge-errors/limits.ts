/** What one zone may say about edge errors. A gate holds all of it, and fetches it with each change. */
export const LIMITS = {
  rules: 100,
  /** Bytes of a rule's content, as platforms with this API have it. */
  content: 10_240,
  /** Bytes of a page. */
  page: 131_072,
  /** Bytes of all contents, pages and the logo together. */
  total: 1_048_576,
  /** Characters. */
  logo: 49_152,
} as const

const encoder = new TextEncoder()

/** Bytes of a text in UTF-8. */
export const byteLength = (text: string): number => encoder.encode(text).length
