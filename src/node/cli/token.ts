import { UsageError, type Command, type ExitCode } from './command.js'
import { parseOptions } from './parse-options.js'
import { printTable } from './print-table.js'
import { CallRefused, withStore, type Item, type StoreCalls } from './store-calls.js'
import { STORE_HELP, STORE_OPTIONS, storePlace } from './store-options.js'

/** `portcullis token`: the API tokens of a store, without one. */
export const token: Command = {
  name: 'token',
  summary: 'create, list and revoke API tokens of a store',
  help: `Usage: portcullis token create --name NAME --permission PERMISSION… [options] --data DIR
       portcullis token list --data DIR [--json]
       portcullis token revoke ID --data DIR

\`create\` prints the token's text alone, this once; only its hash is kept. \`list\` never shows it. A
revoked token is refused at once, by a running \`portcullis serve\` too.

${STORE_HELP}
  --name NAME          what the token is for
  --permission NAME    operator (everything), gate, or read or edit of an area, such as zones:read
                       and token_validation:edit; may repeat
  --account ID         only in this account and its zones
  --zone ID            only in this zone; everywhere without either, and each may repeat
  --expires TIME       such as 2027-01-31T12:00:00Z
  --json               print JSON: of create with the text as \`value\`, of list one object per token

Exit code: 0 done, 1 refused or the store does not open, 2 usage.`,

  async run(args, terminal): Promise<ExitCode> {
    const { values, positionals } = parseOptions(args, {
      ...STORE_OPTIONS,
      name: { type: 'string' },
      permission: { type: 'string', multiple: true, default: [] },
      account: { type: 'string', multiple: true, default: [] },
      zone: { type: 'string', multiple: true, default: [] },
      expires: { type: 'string' },
      json: { type: 'boolean' },
    })
    const [action, ...rest] = positionals
    const [id, ...more] = rest
    const unexpected = action === 'revoke' ? more[0] : id
    if (!['create', 'list', 'revoke'].includes(action ?? ''))
      throw new UsageError('expected create, list or revoke')
    if (unexpected !== undefined) throw new UsageError(`unexpected '${unexpected}'`)
    const { name, permission, json } = values
    if (action === 'list')
      return withStore(storePlace(values), terminal, async ({ list }) => {
        const tokens = await list('/user/tokens')
        if (json) for (const each of tokens) terminal.out(JSON.stringify(each))
        else printTable(terminal, HEADINGS, tokens.map(rowOf))
      })
    if (action === 'revoke') {
      if (id === undefined) throw new UsageError('expected the id of a token (see token list)')
      return withStore(storePlace(values), terminal, async ({ call }) => {
        await call('DELETE', `/user/tokens/${encodeURIComponent(id)}`)
      })
    }
    if (name === undefined) throw new UsageError('expected --name NAME')
    if (permission.length === 0) throw new UsageError('expected --permission NAME')
    if (values.expires !== undefined && Date.parse(values.expires) <= Date.now())
      throw new UsageError(`expected --expires in the future, found '${values.expires}'`)
    return withStore(storePlace(values), terminal, async ({ call }) => {
      await expectAll(call, values)
      const made = await call('POST', '/user/tokens', {
        name,
        policies: [
          {
            effect: 'allow',
            permission_groups: permission.map((each) => ({ id: each })),
            resources: resourcesOf(values),
          },
        ],
        ...(values.expires !== undefined && { expires_on: values.expires }),
      })
      terminal.out(json ? JSON.stringify(made) : String(made['value']))
    })
  },
}

interface Places {
  readonly account: readonly string[]
  readonly zone: readonly string[]
}

/** The API takes any: a token may be made before what it is for. Here it is a mistyped one. */
async function expectAll(call: StoreCalls['call'], { account, zone }: Places): Promise<void> {
  const found = async (kind: string, id: string) => {
    await call('GET', `/${kind}s/${encodeURIComponent(id)}`).catch((cause: unknown) => {
      if (cause instanceof CallRefused) throw new Error(`there is no ${kind} ${id}`, { cause })
      throw cause
    })
  }
  for (const id of account) await found('account', id)
  for (const id of zone) await found('zone', id)
}

const ACCOUNT = 'com.cloudflare.api.account.'
const ZONE = `${ACCOUNT}zone.`

function resourcesOf({ account, zone }: Places): Readonly<Record<string, '*'>> {
  const names = [...account.map((id) => ACCOUNT + id), ...zone.map((id) => ZONE + id)]
  return Object.fromEntries((names.length === 0 ? ['*'] : names).map((name) => [name, '*']))
}

const HEADINGS = ['ID', 'NAME', 'STATUS', 'PERMISSIONS', 'WHERE', 'LAST USED'] as const

interface Policy {
  readonly permission_groups: readonly { readonly id: string }[]
  readonly resources: Readonly<Record<string, unknown>>
}

function rowOf({ id, name, status, policies, last_used_on }: Item): readonly string[] {
  const all = policies as readonly Policy[]
  const where = all.flatMap(({ resources }) => Object.keys(resources))
  return [
    String(id),
    String(name),
    String(status),
    all.flatMap(({ permission_groups }) => permission_groups.map((group) => group.id)).join(','),
    where.map((each) => each.replace(ZONE, 'zone:').replace(ACCOUNT, 'account:')).join(','),
    last_used_on === undefined ? 'never' : String(last_used_on).slice(0, 16),
  ]
}
