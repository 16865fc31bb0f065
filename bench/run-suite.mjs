import { readFileSync, writeFileSync } from 'node:fs'

/** The process of one suite: reads what to run and where its result goes. */
const { suite, result } = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const { run } = await import(`./${suite}.mjs`)
writeFileSync(result, JSON.stringify(await run()))
process.exit(0)
