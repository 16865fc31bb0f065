import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A path of which a decision is longer than the piece of a pipe that is written whole. */
export const LONG_PATH = `/${'x'.repeat(7000)}`
/** Decisions of it that are together more than a pipe holds, for each of two processes. */
export const MANY = 100

/** Writes a policy file by which nobody may ask for anything; gives its path. */
export function blockingPolicy(folder: string): string {
  const policy = {
    id: 'z',
    name: 'example.com',
    operations: [{ operation_id: 'o', method: 'GET', host: 'example.com', endpoint: '/{name}' }],
    rules: [{ id: 'r', title: 'Nobody', action: 'block', expression: 'false' }],
  }
  const file = join(folder, 'policy.json')
  writeFileSync(file, JSON.stringify(policy))
  return file
}
