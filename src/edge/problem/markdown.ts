import type { PlainProblem, Problem } from './problem.js'

// The members that front matter repeats, in the order of spec 7.2.
const FRONT_MATTER = [
  'error_code',
  'error_name',
  'error_category',
  'status',
  'ray_id',
  'timestamp',
  'zone',
  'cloudflare_error',
  'retryable',
  'retry_after',
  'owner_action_required',
] as const satisfies readonly (keyof Problem)[]

const PLAIN = /^[A-Za-z0-9][A-Za-z0-9._-]*$/
const RESERVED = /^(?:true|false|null|yes|no|on|off|y|n)$/i
// Integers, floats, octal, hex, binary and dates of YAML 1.1 and 1.2: `12e4567890123456` is a float.
const NUMERIC = /^(?:[0-9_.]*(?:e[-+]?[0-9]+)?|0[box][0-9a-f_]+|[0-9]{4}-[0-9]{1,2}-[0-9].*)$/i
const TIMESTAMP = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$/

/** A YAML scalar that any reader gives back as this very string: plain where safe, else quoted. */
export function yamlString(text: string): string {
  // The documented form of `timestamp` is plain, and a reader of the core schema keeps it a string.
  if (TIMESTAMP.test(text)) return text
  if (PLAIN.test(text) && !RESERVED.test(text) && !NUMERIC.test(text)) return text
  // A JSON string is a double-quoted scalar of YAML 1.2.
  return JSON.stringify(text)
}

/** One line of text as a Markdown paragraph that starts no other block and holds no markup. */
export function markdownText(line: string): string {
  return line.replace(/[\\`*_[\]<#|]/g, '\\$&').replace(/^(\d*)([-+=>~.)])/, '$1\\$2')
}

/** The Markdown form of spec 7.2: YAML front matter, what happened, what to do, attribution. */
export function markdown(problem: PlainProblem | Problem): string {
  const facts: Partial<Problem> = problem
  let front = ''
  for (const name of FRONT_MATTER) {
    const value = facts[name]
    if (value === undefined) continue
    front += `${name}: ${typeof value === 'string' ? yamlString(value) : value}\n`
  }
  return `---
${front}---

# ${markdownText(problem.title)}

## What Happened

${markdownText(problem.detail)}

## What You Should Do

${problem.what_you_should_do}

---

${markdownText(problem.footer)}
`
}
