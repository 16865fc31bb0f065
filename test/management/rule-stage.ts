import { afterAll, beforeAll, beforeEach } from 'vitest'
import { keyFor } from '../edge/token/keys.js'
import { CONFIG, config, OPERATIONS, rule as anyRule, RULES } from './rows/bodies.js'
import { createZoneStage, type Answer, type Stage } from './stage.js'

/** A zone with token configurations; each test begins without rules and operations. */
export interface RuleStage {
  readonly stage: Stage
  /** Ids of the configurations, by title. */
  readonly ids: Readonly<Record<string, string>>
  /** A rule that asks the first configuration for a valid token. */
  rule(changes?: object): object
  create(changes?: object): Promise<Answer>
  /** Adds operations like `GET a.example.com /a`; gives their ids. */
  operations(...all: readonly string[]): Promise<string[]>
}

/** Stages a zone for the tests of the file that asks for it. */
export function ruleStage(...titles: readonly [string, ...string[]]): RuleStage {
  let stage: Stage
  const ids: Record<string, string> = {}
  const credentials = { keys: [keyFor('ES256').jwk, keyFor('HS256').jwk] }
  beforeAll(async () => {
    stage = await createZoneStage()
    for (const title of titles) {
      const { json } = await stage.call('POST', CONFIG, config({ title, credentials }))
      ids[title] = String(json.result['id'])
    }
  })
  afterAll(() => stage.close())
  beforeEach(async () => {
    for (const table of ['rules', 'rule_hosts', 'rule_configurations', 'operations'] as const)
      await stage.db.deleteFrom(table).execute()
  })
  const rule = (changes: object = {}) =>
    anyRule({ expression: `is_jwt_valid("${ids[titles[0]]}")`, ...changes })
  return {
    get stage() {
      return stage
    },
    ids,
    rule,
    create: (changes) => stage.call('POST', RULES, rule(changes)),
    async operations(...all) {
      const body = all.map((text) => {
        const [method, host, endpoint] = text.split(' ')
        return { method, host, endpoint }
      })
      const { json } = await stage.call('POST', OPERATIONS, body)
      return json.list.map(({ operation_id }) => String(operation_id))
    },
  }
}
