import { PostgresAdapter, sql } from 'kysely'
import type { Database } from '../database.js'
import { settleReaches } from '../settle-reaches.js'

const SQLITE = [
  sql`
    create trigger if not exists api_tokens_reach after update of policies on api_tokens
    when old.policies <> new.policies
    begin
      update api_tokens set reach = '' where id = new.id;
    end
  `,
]
const POSTGRES = [
  sql`
    create or replace function api_tokens_reach() returns trigger language plpgsql as $$
    begin
      new.reach := '';
      return new;
    end
    $$
  `,
  sql`drop trigger if exists api_tokens_reach on api_tokens`,
  sql`
    create trigger api_tokens_reach before update of policies on api_tokens
    for each row when (old.policies <> new.policies) execute function api_tokens_reach()
  `,
]

/**
 * Whoever changes the policies of a token and knows no reaches, as processes of older versions beside
 * newer ones, leaves it with none: one that was right before might show it to whom it is not for.
 */
export async function reachInDoubt(db: Database): Promise<void> {
  const postgres = db.getExecutor().adapter instanceof PostgresAdapter
  for (const statement of postgres ? POSTGRES : SQLITE) await statement.execute(db)
  await db.updateTable('api_tokens').set({ reach: '' }).execute()
  await settleReaches(db)
}
