import type { CodeChapter, DocsPage } from '../http/index.js'
import type { ApiDocument } from './api-document.js'
import { page } from './page.js'
import { STYLE } from './style.js'

interface Built {
  readonly body: Uint8Array<ArrayBuffer>
  readonly headers: Readonly<Record<string, string>>
}

/**
 * The API page for the OpenAPI document of this API. It is made once, on the first request, and
 * allowed to use nothing but its own style sheet.
 */
export const createDocs =
  (chapters: readonly CodeChapter[]) =>
  (document: object): DocsPage => {
    let built: Promise<Built> | undefined
    return async (request) => {
      const { body, headers } = await (built ??= build(document as ApiDocument, chapters))
      const known = request.headers.get('if-none-match') ?? ''
      if (known.split(/, */).some((tag) => tag.replace(/^W\//, '') === headers['ETag']))
        return new Response(null, { status: 304, headers })
      return new Response(body, { headers })
    }
  }

async function build(document: ApiDocument, chapters: readonly CodeChapter[]): Promise<Built> {
  const body = new TextEncoder().encode(await page(document, chapters))
  const style = await digest(new TextEncoder().encode(STYLE))
  const tag = await digest(body)
  return {
    body,
    headers: {
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${style}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
      'Content-Type': 'text/html; charset=utf-8',
      ETag: `"${tag.slice(0, 22)}"`,
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
    },
  }
}

async function digest(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', bytes)
  return btoa(String.fromCharCode(...new Uint8Array(hash)))
}
