import { html } from 'hono/html'
import type { ApiDocument, Operation, Parameter, Route, Schema } from './api-document.js'
import { curlExample } from './curl-example.js'
import { kindOf, referred } from './kind.js'
import { inner, memberList } from './members.js'
import { between, prose, type Html } from './prose.js'

const PLACES: readonly (readonly [Parameter['in'], string])[] = [
  ['path', 'In the path'],
  ['query', 'In the query'],
  ['header', 'In the headers'],
]

/** What the page says about an endpoint. */
export function endpointSection(route: Route, { components }: ApiDocument): Html {
  const { method, path, operation } = route
  const { operationId, summary, description, parameters = [], requestBody } = operation
  const refusals = Object.keys(operation.responses).filter((status) => Number(status) >= 400)
  return html`<article id="${operationId}">
    <h3><a href="#${operationId}">${summary}</a></h3>
    <p class="address">${address(method, path)}</p>
    <p>${prose(description)}</p>
    ${PLACES.map(([place, title]) => {
      const here = parameters.filter((one) => one.in === place)
      if (here.length === 0) return ''
      return html`<h4>${title}</h4>
        ${memberList(here.map((one) => ({ ...one, required: one.required === true })))}`
    })}
    ${requestBody && body(requestBody)} ${answers(operation)}
    <h4>Refusals</h4>
    <p>
      ${between(
        refusals.map((status) => html`<a href="#status-${status}">${status}</a>`),
        ', ',
      )}
    </p>
    <h4>Example</h4>
    <pre tabindex="0"><code>${curlExample(route, components.schemas)}</code></pre>
  </article>`
}

/** Method and path; long paths break after a slash. */
export const address = (method: string, path: string): Html =>
  html`<code
    ><b class="${method}">${method.toUpperCase()}</b> ${path
      .split('/')
      .map((part, at) => (at === 0 ? '' : html`/<wbr />${part}`))}</code
  >`

function body({ required, content }: NonNullable<Operation['requestBody']>): Html {
  return html`${Object.entries(content).map(
    ([type, { schema }]) =>
      html`<h4>Body</h4>
        <p><code>${type}</code>${required !== true && ', may be left out'}: ${kindOf(schema)}</p>
        ${inner(schema)}`,
  )}`
}

function answers({ responses }: Operation): Html {
  const content = Object.entries(responses['200']?.content ?? {})
  const unchanged = responses['304']
  return html`<h4>Answer</h4>
    ${content.map(([type, { schema }]) => answer(type, schema))}
    ${unchanged && html`<p>304 without a body: ${prose(unchanged.description)}</p>`}`
}

function answer(type: string, schema: Schema): Html {
  const { errors, messages, result, success, result_info, ...beside } = schema.properties ?? {}
  if (!errors || !messages || !success || !result)
    return html`<p><code>${type}</code>, without the envelope: ${kindOf(schema)}</p>
      ${inner(schema)}`
  const others = Object.entries(beside)
  return html`<p>
      <a href="#envelope">Envelope</a> with <code>result</code>:
      ${kindOf(result)}${
        result_info && html`, a page, with <code>result_info</code>: ${resultInfo(result_info)}`
      }
    </p>
    ${inner(result)}
    ${
      others.length > 0 &&
      html`<p>Beside <code>result</code> the envelope has:</p>
        ${memberList(others.map(([name, one]) => ({ name, schema: one, required: true })))}`
    }`
}

const resultInfo = (schema: Schema): Html =>
  referred(schema) === undefined ? html`object` : kindOf(schema)
