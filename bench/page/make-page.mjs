import { writeFile } from 'node:fs/promises'
import { format, resolveConfig } from 'prettier'
import { page } from './page.mjs'
import { plot } from './plot.mjs'

const PAGE = new URL('../RESULTS.md', import.meta.url)
const PLOT = new URL('../results.svg', import.meta.url)

/** The page of results, in the form that the project's own check wants, and its plot. */
export async function makePage(all) {
  const config = await resolveConfig(PAGE)
  const text = await format(page(all, 'results.svg'), { ...config, parser: 'markdown' })
  return { text, picture: plot(all.results) }
}

/** Puts both beside the benchmark. */
export async function writePage({ text, picture }, say) {
  await writeFile(PAGE, text)
  await writeFile(PLOT, picture)
  say('written: bench/RESULTS.md, bench/results.svg')
}
