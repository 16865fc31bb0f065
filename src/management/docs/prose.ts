import { html } from 'hono/html'

/** Markup whose text is escaped. */
export type Html = ReturnType<typeof html>

/** Text in which what stands between backticks is code. */
export const prose = (text: string): readonly Html[] =>
  text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))

/** Pieces with something between them. */
export const between = (pieces: readonly Html[], separator: string): readonly Html[] =>
  pieces.map((piece, at) => (at === 0 ? piece : html`${separator}${piece}`))

/** A name as a part of an address within the page. */
export const slug = (name: string): string => name.toLowerCase().replaceAll(/[^a-z\d]+/g, '-')
