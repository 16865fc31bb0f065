import { readFile } from 'node:fs/promises'

/** What a run has left as JSON; rejects in one line where a file is none of that. */
export async function readResults(file) {
  const text = await readFile(file, 'utf8').catch(({ message }) => fail(file, message))
  const all = parsed(file, text)
  return Array.isArray(all?.results) ? all : fail(file, 'it has no results')
}

function parsed(file, text) {
  try {
    return JSON.parse(text)
  } catch (cause) {
    return fail(file, 'it is no JSON', cause)
  }
}

function fail(file, why, cause) {
  throw new Error(`no page can be made of ${file}: ${why}`, { cause })
}
