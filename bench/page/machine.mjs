import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { cpus, totalmem, type } from 'node:os'

const PEERS = [
  'jose',
  'fast-jwt',
  'jsonwebtoken',
  'hono',
  'aws-jwt-verify',
  'lru-cache',
  'undici',
  'jsep',
  'negotiator',
  'accepts',
  '@hapi/accept',
]

/** What kind of machine this is, and nothing that names it. */
export function machine() {
  return {
    cpu: cpus()[0]?.model,
    cores: cpus().length,
    memory_gb: Math.round(totalmem() / 2 ** 30),
    system: type(),
  }
}

/** Versions of this project, of the packages beside it, and of servers that are installed. */
export function versions() {
  const packages = PEERS.map((name) => [name, packageVersion(`../../node_modules/${name}`)])
  return Object.fromEntries([
    ['portcullis', packageVersion('../..')],
    ...packages,
    ['HAProxy', programVersion('haproxy')],
    ['nginx', programVersion('nginx')],
  ])
}

function packageVersion(folder) {
  return JSON.parse(readFileSync(new URL(`${folder}/package.json`, import.meta.url), 'utf8'))
    .version
}

/** nginx tells its version on standard error. */
export function programVersion(program) {
  try {
    const said = execFileSync('sh', ['-c', `${program} -v 2>&1`], { encoding: 'utf8' })
    return /\d+\.\d+\.\d+/.exec(said)?.[0]
  } catch {
    return undefined
  }
}
