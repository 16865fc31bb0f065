import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts CPU time in hundredths of a second in a process's `stat`. */
const TICK_US = 10_000
const PAGE = 4096

/**
 * What a process has used, and its children: `{ cpu, rss }`, microseconds and bytes. For programs
 * that do not tell of themselves; needs Linux.
 */
export function processUsage(pid) {
  const used = { cpu: 0, rss: 0 }
  for (const each of [pid, ...childrenOf(pid)]) {
    // After the name, which is in brackets and may hold spaces: field 3 and on of proc(5).
    const fields = readFileSync(`/proc/${each}/stat`, 'utf8').split(') ')[1].split(' ')
    used.cpu += exactTime(each) ?? (Number(fields[11]) + Number(fields[12])) * TICK_US
    used.rss += Number(fields[21]) * PAGE
  }
  return used
}

const childrenOf = (pid) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)

/** The scheduler counts nanoseconds for each thread, where the kernel was built to tell. */
function exactTime(pid) {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    const times = threads.map((id) => readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8'))
    return times.reduce((sum, text) => sum + Number(text.split(' ')[0]) / 1000, 0)
  } catch {
    return undefined
  }
}
