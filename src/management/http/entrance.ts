import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Env } from 'hono'
import type { TrieRouter } from 'hono/router/trie-router'
import { docsAddress, type Reached } from './documentation.js'
import { success } from './envelope.js'

/** Answers requests for the API page. */
export type DocsPage = (request: Request) => Promise<Response>

/** What the entrance shows. */
export interface EntranceOptions extends Reached {
  readonly version: string
  /** The API page made from the document, on the first call for it. */
  readonly docs: (document: object) => DocsPage
}

/** Adds what anybody may ask without a token: the OpenAPI document, the page, and where they are. */
export function addEntrance<E extends Env>(
  app: OpenAPIHono<E>,
  methods: TrieRouter<string>,
  options: EntranceOptions,
): void {
  const { base, version, docs } = options
  // Endpoints do not change once the app is made.
  let document: object | undefined
  const documentOf = () =>
    (document ??= app.getOpenAPI31Document({
      openapi: '3.1.0',
      info: {
        title: 'Portcullis management API',
        version,
        description:
          'Zones, their operations, token configurations and rules, and the gates that follow them.',
      },
      servers: [{ url: base }],
    }))
  let page: DocsPage | undefined
  const paths = [`${base}/openapi.json`, `${base}/docs`, base, '/']
  for (const path of paths) methods.add('ALL', path, 'GET')
  app.get(`${base}/openapi.json`, (c) => c.json(documentOf()))
  app.get(`${base}/docs`, (c) =>
    // Below a trailing slash the page's own links would lead nowhere.
    new URL(c.req.url).pathname.endsWith('/')
      ? c.redirect(docsAddress(c.req.url, options), 308)
      : (page ??= docs(documentOf()))(c.req.raw),
  )
  for (const path of paths.slice(2))
    app.get(path, (c) => {
      const address = docsAddress(c.req.url, options)
      if (c.req.header('accept')?.includes('text/html')) return c.redirect(address)
      const openapi = address.replace(/docs$/, 'openapi.json')
      return c.json(success({ documentation: address, openapi, version }, []))
    })
}
