import { writeFile } from 'node:fs/promises'
import { format, resolveConfig } from 'prettier'
import { page } from './page.mjs'
import { plot } from './plot.mjs'

const PAGE = new URL('../RESULTS.md', import.meta.url)
const PLOT = new URL('../results.svg', import.meta.url)

/** Writes the page of results and its plot, in the form that the project's own check wants. */
export async function writePage(all, say) {
  const config = await resolveConfig(PAGE)
  await writeFile(PAGE, await format(page(all, 'results.svg'), { ...config, parser: 'markdown' }))
  await writeFile(PLOT, plot(all.results))
  say('written: bench/RESULTS.md, bench/results.svg')
}
