import { html } from 'hono/html'
import type { ApiDocument } from './api-document.js'
import type { Html } from './prose.js'

/** How to call the API: what holds for every endpoint. */
export function startSection({ servers }: ApiDocument): Html {
  const [{ url }] = servers
  const shell = `API=http://127.0.0.1:8787${url}\nTOKEN=the-text-of-an-API-token`
  return html`<section aria-labelledby="start">
    <h2 id="start">How to call</h2>
    <p>
      Every call needs an API token, in the header <code>Authorization: Bearer</code>. Examples on
      this page take its text and the address of the API from the shell:
    </p>
    <pre tabindex="0"><code>${shell}</code></pre>
    <p>
      Bodies are JSON in UTF-8 unless an endpoint says otherwise. A member that has no meaning is
      left out and told of in <code>messages</code>; one that is wrong is refused, with a pointer to
      it. A call either does all that it says, or nothing.
    </p>
    <h3 id="envelope">The envelope</h3>
    <p>
      Answers are JSON in one envelope. A call that went well has <code>success: true</code>, its
      <code>result</code>, and <code>messages</code> for what is worth telling. One that did not has
      <code>success: false</code> and at least one of <code>errors</code>. Both are lists of
      <a href="#object-Message">messages</a>: a <a href="#codes">code</a>, a text for people, the
      address of the section about the code, and <code>source.pointer</code>, a JSON pointer to the
      place in the request.
    </p>
    <h3 id="pages">Pages of lists</h3>
    <p>
      Lists take <code>page</code>, counted from 1, and <code>per_page</code>, and tell in
      <code>result_info</code> where in the list an answer is. A page past the end is empty.
    </p>
    <h3 id="requests">Which request it was</h3>
    <p>
      Every answer has a header <code>X-Request-Id</code>. The audit log and the log of the service
      know the request by it.
    </p>
  </section>`
}
