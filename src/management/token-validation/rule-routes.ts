import { z } from '@hono/zod-openapi'
import {
  ApiError,
  endpoint,
  flagQuery,
  listEndpoint,
  listQuery,
  pageQuery,
  zoneIdOf,
  type Endpoint,
} from '../http/index.js'
import type { Services } from '../store/index.js'
import { hostFaults } from './compile-rule.js'
import { createRules } from './create-rules.js'
import { deleteRule } from './delete-rule.js'
import { listRules } from './list-rules.js'
import { preview, Preview } from './preview.js'
import { getRule, ruleWire } from './rule-rows.js'
import { CreateRule, MAX_BULK, Rule, SelectorSchema, UpdateRule } from './rule-schema.js'
import { updateRules } from './update-rules.js'

const TAG = 'Token validation'
const BASE = '/zones/{zone_id}/token_validation/rules'
const READ = 'token_validation:read'
const EDIT = 'token_validation:edit'

const inBulk = (at: number): string => `/${at}`
const alone = (): string => ''

/** Token validation rules: the list is the spec's (4.1), the rest what its clients send. */
export function ruleRoutes(services: Services): readonly Endpoint[] {
  const { db } = services

  return [
    listEndpoint({
      method: 'get',
      path: BASE,
      tag: TAG,
      summary: 'List token validation rules in their order',
      permission: READ,
      query: z.object({
        ...pageQuery,
        id: listQuery,
        rule_id: listQuery,
        action: z.enum(['log', 'block']).optional(),
        enabled: flagQuery.optional(),
        host: z.string().optional(),
        hostname: z.string().optional(),
        token_configuration: listQuery,
      }),
      result: Rule,
      handle: (call) => listRules(db, zoneIdOf(call), call.query),
    }),
    endpoint({
      method: 'post',
      path: BASE,
      tag: TAG,
      summary: 'Create a token validation rule',
      permission: EDIT,
      body: CreateRule,
      result: Rule,
      async handle(call) {
        const saved = await createRules(services, zoneIdOf(call), [call.body], call, alone)
        call.note(...saved.messages)
        return saved.rules[0]!
      },
    }),
    endpoint({
      method: 'post',
      path: `${BASE}/bulk`,
      tag: TAG,
      summary: 'Create token validation rules, all or none',
      permission: EDIT,
      body: z.array(CreateRule).max(MAX_BULK),
      result: z.array(Rule),
      async handle(call) {
        const saved = await createRules(services, zoneIdOf(call), call.body, call, inBulk)
        call.note(...saved.messages)
        return [...saved.rules]
      },
    }),
    endpoint({
      method: 'patch',
      path: `${BASE}/bulk`,
      tag: TAG,
      summary: 'Change and reorder token validation rules, all or none',
      permission: EDIT,
      body: z.array(UpdateRule.extend({ id: z.string() })).max(MAX_BULK),
      result: z.array(Rule),
      async handle(call) {
        const saved = await updateRules(services, zoneIdOf(call), call.body, call, inBulk)
        call.note(...saved.messages)
        return [...saved.rules]
      },
    }),
    ...(['put', 'post'] as const).map((method) =>
      endpoint({
        method,
        path: `${BASE}/preview`,
        tag: TAG,
        summary: 'Tell which operations a selector covers',
        permission: READ,
        query: z.object(pageQuery),
        body: SelectorSchema,
        result: Preview,
        async handle(call) {
          const faults = hostFaults(call.body, '/include')
          if (faults.length > 0) throw ApiError.of(400, faults)
          const result = await preview(db, zoneIdOf(call), call.body, call.query)
          const { total } = result
          call.paged({ items: result.operations, found: total, total })
          return result
        },
      }),
    ),
    endpoint({
      method: 'get',
      path: `${BASE}/{rule_id}`,
      tag: TAG,
      summary: 'Get a token validation rule',
      permission: READ,
      result: Rule,
      handle: async (call) => ruleWire(await getRule(db, zoneIdOf(call), call.param('rule_id'))),
    }),
    endpoint({
      method: 'patch',
      path: `${BASE}/{rule_id}`,
      tag: TAG,
      summary: 'Change a token validation rule',
      permission: EDIT,
      body: UpdateRule,
      result: Rule,
      async handle(call) {
        const update = { ...call.body, id: call.param('rule_id') }
        await getRule(db, zoneIdOf(call), update.id)
        const saved = await updateRules(services, zoneIdOf(call), [update], call, alone)
        call.note(...saved.messages)
        return saved.rules[0]!
      },
    }),
    endpoint({
      method: 'delete',
      path: `${BASE}/{rule_id}`,
      tag: TAG,
      summary: 'Delete a token validation rule',
      permission: EDIT,
      result: z.object({ id: z.string() }),
      async handle(call) {
        const id = call.param('rule_id')
        await deleteRule(services, zoneIdOf(call), id, call)
        return { id }
      },
    }),
  ]
}
