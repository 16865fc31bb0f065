import { html } from 'hono/html'
import { codeAnchor, type CodeChapter, type DocumentedCode } from '../http/index.js'
import { between, prose, slug, type Html } from './prose.js'

/** What the page says about the codes of an area. */
export const codeSection = ({ title, codes }: CodeChapter): Html =>
  html` <h3 id="codes-${slug(title)}">${title}</h3>
    ${codes.map(code)}`

function code({ code: number, title, statuses, meaning, expected, remedy }: DocumentedCode): Html {
  const anchor = codeAnchor(number)
  return html`<article id="${anchor}" class="code">
    <h4><a href="#${anchor}">${number}</a> ${prose(title)}</h4>
    <p>${between(statuses.map(status), ', ')}</p>
    <dl>
      <dt>Meaning</dt>
      <dd>${prose(meaning)}</dd>
      <dt>Expected</dt>
      <dd>${prose(expected)}</dd>
      <dt>What to do</dt>
      <dd>${prose(remedy)}</dd>
    </dl>
  </article>`
}

const status = (one: number): Html =>
  one === 200
    ? html`in <code>messages</code> of a success`
    : html`refused with <a href="#status-${one}">${one}</a>`

/** The statuses of refusals, and which codes come with each. */
export function statusList(
  statuses: ReadonlyMap<string, string>,
  chapters: readonly CodeChapter[],
): Html {
  const codes = chapters.flatMap((chapter) => chapter.codes)
  return html`<ul class="members">
    ${[...statuses].map(([one, description]) => {
      const its = codes.filter((each) => each.statuses.includes(Number(one)))
      return html`<li id="status-${one}">
        <b>${one}</b> ${prose(description)} Codes:
        ${between(
          its.map((each) => html`<a href="#${codeAnchor(each.code)}">${each.code}</a>`),
          ', ',
        )}
      </li>`
    })}
  </ul>`
}
