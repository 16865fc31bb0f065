import { UsageError, type Command, type ExitCode } from './command.js'
import { parseOptions } from './parse-options.js'
import { printTable } from './print-table.js'
import { CallRefused, withAnyStore, withStore, type Item, type StoreCalls } from './store-calls.js'
import { STORE_HELP, STORE_OPTIONS, storePlace } from './store-options.js'

/** `portcullis zone`: the zones of a store, without a token. */
export const zone: Command = {
  name: 'zone',
  summary: 'add and list the zones of a store',
  help: `Usage: portcullis zone add HOSTNAME --account ID [--id ID] [--upstream URL] [--plan PLAN] --data DIR
       portcullis zone list --data DIR [--json]

A zone is a host name with everything below it. \`add\` prints the zone's id, and makes the account
when there is none of this id. A running \`portcullis serve\` takes it up within a second.

${STORE_HELP}
  --account ID         whose zone it is
  --id ID              id of the zone; a new one by default
  --upstream URL       where the gate sends what passes; without it the gate does not serve the zone
  --plan PLAN          free (the default), pro, business or enterprise; rules for custom errors need
                       one that is not free
  --json               print one JSON object per zone

Exit code: 0 done, 1 refused or the store does not open, 2 usage.`,

  async run(args, terminal): Promise<ExitCode> {
    const { values, positionals } = parseOptions(args, {
      ...STORE_OPTIONS,
      account: { type: 'string' },
      id: { type: 'string' },
      upstream: { type: 'string' },
      plan: { type: 'string' },
      json: { type: 'boolean' },
    })
    const [action, hostname, ...more] = positionals
    if (more.length > 0) throw new UsageError(`unexpected '${more[0]}'`)
    const { account, id, upstream, plan, json } = values
    if (action === 'list' && hostname === undefined)
      return withStore(storePlace(values), terminal, async ({ list }) => {
        const zones = await list('/zones')
        if (json) for (const each of zones) terminal.out(JSON.stringify(each))
        else printTable(terminal, ['ID', 'NAME', 'ACCOUNT', 'PLAN', 'UPSTREAM'], zones.map(rowOf))
      })
    if (action !== 'add') throw new UsageError('expected add HOSTNAME or list')
    if (hostname === undefined) throw new UsageError('expected a host name')
    if (account === undefined) throw new UsageError('expected --account ID')
    return withAnyStore(storePlace(values), terminal, async (calls) => {
      const made = await create(calls, {
        name: hostname,
        account: { id: account },
        ...(id !== undefined && { id }),
        ...(upstream !== undefined && { upstream }),
        ...(plan !== undefined && { plan: { id: plan } }),
      })
      terminal.out(json ? JSON.stringify(made) : String(made['id']))
    })
  },
}

/** Makes the account as well when it is all that is missing. */
async function create(
  { call }: StoreCalls,
  body: Item & { readonly account: { readonly id: string } },
): Promise<Item> {
  try {
    return await call('POST', '/zones', body)
  } catch (cause) {
    if (!(cause instanceof CallRefused) || cause.pointers.join() !== '/account/id') throw cause
    await call('POST', '/accounts', { id: body.account.id, name: body.account.id })
    return call('POST', '/zones', body)
  }
}

const rowOf = ({ id, name, account, plan, upstream }: Item): readonly string[] => [
  String(id),
  String(name),
  String((account as Item)['id']),
  String((plan as Item)['id']),
  upstream === null ? '-' : String(upstream),
]
