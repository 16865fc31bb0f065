import { ACCOUNT, instantOf, ZONE } from './list-rows.mjs'

/** Whose calls they are: the owner's, or a token's that reaches so far. */
export const TOKENS = {
  'one account': { permissions: ['zones:read', 'api_tokens:read'], reach: [`account.${ACCOUNT}`] },
  'some accounts': {
    permissions: ['accounts:read', 'zones:read', 'api_tokens:read'],
    reach: [1, 3, 5, 7].map((at) => `account.${String(at + 1).padStart(32, '0')}`),
  },
  'some zones': {
    permissions: ['zones:read'],
    reach: [ZONE, ...[5, 7].map((at) => String(at + 1000).padStart(32, '0'))].map(
      (id) => `account.zone.${id}`,
    ),
  },
}

/** What is asked of every list of so many rows. Whose token asks stands after `|`. */
export function searches(size) {
  const id = (at) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`
  const [since, until] = [instantOf(size >> 2), instantOf(size - (size >> 2))]
  const lines = ['', 'direction=asc', `since=${since}&until=${until}`, 'actor=command-line']
  return {
    [`/zones/${ZONE}/api_gateway/operations`]: [
      '',
      'direction=desc',
      'order=method',
      'order=host',
      'order=endpoint',
      'order=host&direction=desc',
      'host=h7.example.com',
      'host=h7.example.com&host=h8.example.com&method=POST',
      'method=GET',
      'endpoint=7',
      'endpoint=nowhere',
      'endpoint=7&order=host&direction=desc',
      'method=GET&order=endpoint',
      'feature=thresholds',
    ],
    [`/zones/${ZONE}/audit_log`]: [
      ...lines,
      'actor.email=another&direction=asc',
      'action=create',
      'action.type=update',
      'object_type=rule',
      `object_id=${id(50)}`,
      `request_id=${id(51)}`,
      `id=${id(52)}`,
      `zone_id=${ZONE}`,
      'zone.name=example.com',
      `actor=command-line&since=${since}&until=${until}`,
      'actor=another&action=delete&object_type=operation',
    ],
    [`/accounts/${ACCOUNT}/audit_logs`]: lines,
    '/audit_log': [...lines, `zone_id=${ZONE}`, `object_id=${id(50)}`],
    [`/zones/${ZONE}/gate/versions`]: [''],
    '/accounts': ['', 'direction=desc', 'name=b%20000007', '|some accounts'],
    '/zones': [
      '',
      'direction=desc',
      'name=z000007.example.com',
      `account.id=${ACCOUNT}`,
      'account.name=bench',
      'status=active',
      'status=pending',
      'order=status',
      'order=account.id',
      'order=account.name',
      'order=plan.id&direction=desc',
      `account.id=${ACCOUNT}&order=plan.id`,
      '|one account',
      'order=plan.id|one account',
      '|some accounts',
      '|some zones',
    ],
    '/user/tokens': ['', 'direction=desc', 'include_expired=false', '|one account'],
    [`/zones/${ZONE}/token_validation/rules`]: [
      '',
      'action=block',
      'enabled=false',
      'host=h7.example.com',
      'hostname=h7.example.com',
      `id=${id(7)}&id=${id(8)}`,
      `rule_id=${id(7)}`,
      `token_configuration=${id(7)}`,
      'action=log&enabled=true&host=h7.example.com',
    ],
  }
}
