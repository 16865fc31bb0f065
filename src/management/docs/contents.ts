import { html } from 'hono/html'
import type { CodeChapter } from '../http/index.js'
import type { Route } from './api-document.js'
import { slug, type Html } from './prose.js'

/** Areas with their endpoints. */
export type Areas = readonly (readonly [area: string, routes: readonly Route[]])[]

/** The links to everything on the page. */
export const contents = (areas: Areas, chapters: readonly CodeChapter[]): Html =>
  html`<ul>
    <li><a href="#start">How to call</a></li>
    ${areas.map(
      ([area, routes]) =>
        html`<li>
          <a href="#area-${slug(area)}">${area}</a>
          <ul>
            ${routes.map(endpointLink)}
          </ul>
        </li>`,
    )}
    <li><a href="#objects">Objects</a></li>
    <li><a href="#refusals">Refusals</a></li>
    <li>
      <a href="#codes">Codes of messages</a>
      <ul>
        ${chapters.map(({ title }) => html`<li><a href="#codes-${slug(title)}">${title}</a></li>`)}
      </ul>
    </li>
  </ul>`

const endpointLink = ({ method, operation }: Route): Html =>
  html`<li>
    <a href="#${operation.operationId}"
      ><b class="${method}">${method.toUpperCase()}</b> ${operation.summary}</a
    >
  </li>`
