import { html, raw } from 'hono/html'
import type { CodeChapter } from '../http/index.js'
import { routesByArea, type ApiDocument } from './api-document.js'
import { codeSection, statusList } from './code-section.js'
import { contents } from './contents.js'
import { endpointSection } from './endpoint-section.js'
import { kindOf } from './kind.js'
import { inner } from './members.js'
import { prose, slug } from './prose.js'
import { startSection } from './start-section.js'
import { STYLE } from './style.js'

/** To the letter what the page's Content-Security-Policy allows. */
const SHEET = raw(`<style>${STYLE}</style>`)

/** The API page. All that is not markup here is escaped. */
export async function page(
  document: ApiDocument,
  chapters: readonly CodeChapter[],
): Promise<string> {
  const { info, components } = document
  const areas = [...routesByArea(document)]
  const markup = await html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${info.title}</title>
        <link rel="icon" href="data:," />
        ${SHEET}
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        <header>
          <h1>${info.title}</h1>
          <p>${info.description}</p>
          <p>
            Version ${info.version}. The same for machines: <a href="openapi.json">openapi.json</a>
          </p>
        </header>
        <nav aria-label="Contents">${contents(areas, chapters)}</nav>
        <main id="content" tabindex="-1">
          ${startSection(document)}
          ${areas.map(
            ([area, routes]) =>
              html`<section aria-labelledby="area-${slug(area)}">
                <h2 id="area-${slug(area)}">${area}</h2>
                ${routes.map((route) => endpointSection(route, document))}
              </section>`,
          )}
          <section aria-labelledby="objects">
            <h2 id="objects">Objects</h2>
            ${Object.entries(components.schemas).map(
              ([name, schema]) =>
                html`<article id="object-${name}">
                  <h3><a href="#object-${name}">${name}</a></h3>
                  ${schema.description !== undefined && html`<p>${prose(schema.description)}</p>`}
                  <p class="kind">${kindOf(schema)}</p>
                  ${inner(schema)}
                </article>`,
            )}
          </section>
          <section aria-labelledby="refusals">
            <h2 id="refusals">Refusals</h2>
            <p>
              Each message has a code. Clients may rely on codes; the words of messages may change.
            </p>
            ${statusList(refusalsOf(document), chapters)}
          </section>
          <section aria-labelledby="codes">
            <h2 id="codes">Codes of messages</h2>
            ${chapters.map(codeSection)}
          </section>
        </main>
      </body>
    </html>`
  // Indentation of the markup above is of no use to a browser.
  return markup.replaceAll(/\n\s*\n/g, '\n')
}

/** Each status of a refusal once, with what it means. */
function refusalsOf({ paths }: ApiDocument): ReadonlyMap<string, string> {
  const responses = Object.values(paths).flatMap((operations) =>
    Object.values(operations).flatMap((operation) => Object.entries(operation.responses)),
  )
  const refusals = responses.filter(([status]) => Number(status) >= 400)
  return new Map(
    [
      ...refusals.map(([status, { description }]) => [status, description] as const),
      ['405', 'The address has no such method.'] as const,
    ].toSorted(([one], [other]) => Number(one) - Number(other)),
  )
}
