import { sql } from 'kysely'
import type { Actor, Scope } from '../http/index.js'
import { countOf, Entries, inPieces, type Transaction } from '../store/index.js'
import { grantsOf } from './policies.js'
import { within, type AccountOf } from './within.js'

/** Which tokens an actor may read. */
export interface VisibleReaches {
  /** How many they are. */
  readonly tokens: number
  /** How many reaches they have: digests of what a token may do where. */
  readonly many: number
  reaches(): readonly string[]
}

/**
 * Finds which tokens an actor may read; `visibleOf` reads the entries. Of tokens that may do the
 * same one is looked at.
 */
export async function visibleReaches(tx: Transaction, actor: Actor): Promise<Entries> {
  const all = (await reachesOf(tx)).map(({ reach, policies }) => ({
    reach,
    grants: grantsOf(JSON.parse(policies)),
  }))
  const accountOf = await accountsOf(
    tx,
    all.flatMap(({ grants }) => grants.map(({ scope }) => scope)),
  )
  const reaches: string[] = []
  for (const { reach, grants } of all)
    if (await within(actor, grants, 'api_tokens:read', accountOf)) reaches.push(reach)
  return Entries.from([String(await tokensWith(tx, reaches)), ...reaches])
}

/** What such entries tell: how many tokens there are, then the reaches. */
export const visibleOf = (entries: Entries): VisibleReaches => ({
  tokens: Number(entries.at(0)),
  many: entries.length - 1,
  reaches: () => entries.slice(1, entries.length - 1),
})

interface Reach {
  readonly reach: string
  readonly policies: string
}

/** Goes from each to the next along the index: the tokens between are not read. */
async function reachesOf(tx: Transaction): Promise<readonly Reach[]> {
  const { rows } = await sql<Reach>`
    with recursive reaches(reach) as (
      select min(reach) from api_tokens
      union all
      select (select min(reach) from api_tokens where api_tokens.reach > reaches.reach)
      from reaches where reaches.reach is not null
    )
    select reaches.reach, policies from reaches join api_tokens on api_tokens.id =
      (select min(id) from api_tokens as alike where alike.reach = reaches.reach)
  `.execute(tx)
  return rows
}

async function tokensWith(tx: Transaction, reaches: readonly string[]): Promise<number> {
  let tokens = 0
  for (const some of inPieces(reaches))
    tokens += await countOf(tx.selectFrom('api_tokens').where('reach', 'in', some))
  return tokens
}

/** Asks for many zones at once: one by one would be a call to the database for each. */
async function accountsOf(tx: Transaction, scopes: readonly Scope[]): Promise<AccountOf> {
  const zones = new Set(scopes.flatMap((scope) => (scope.kind === 'zone' ? [scope.id] : [])))
  const accounts = new Map<string, string>()
  for (const ids of inPieces([...zones])) {
    const found = tx.selectFrom('zones').select(['id', 'account_id']).where('id', 'in', ids)
    for (const { id, account_id } of await found.execute()) accounts.set(id, account_id)
  }
  return async (id) => accounts.get(id)
}
