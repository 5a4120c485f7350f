import type { Pool } from 'pg'

/** The protection of stored events in the database, and of the connection to it. */
export type DatabaseProtection = {
  /** True if the trigger that refuses changes of stored events is in force. */
  refusesChanges: boolean
  /** True if the role of the pool owns the stored events, so that it could remove that trigger. */
  isOwner: boolean
  /** `local` when both ends of this connection are on one machine. */
  connection: 'encrypted' | 'local' | 'plain'
}

/** Asks the database how it protects stored events, and how the pool reaches it. */
export async function inspectProtection(pool: Pool): Promise<DatabaseProtection> {
  const { rows } = await pool.query<DatabaseProtection>(inspectSql)
  return rows[0] ?? { refusesChanges: false, isOwner: true, connection: 'plain' }
}

// By name, because a role without rights on the schema gets a reply, too. A trigger is disabled with 'D', and left out
// for everyone but replication with 'R'. Without an address, the connection is a local socket.
const inspectSql = `
  select
    exists (
      select from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'es' and c.relname = 'events' and t.tgname = 'append_only' and t.tgenabled in ('O', 'A')
    ) as "refusesChanges",
    coalesce((
      select pg_has_role(current_user, nspowner, 'member') from pg_namespace where nspname = 'es'), false) as "isOwner",
    case
      when (select ssl from pg_stat_ssl where pid = pg_backend_pid()) then 'encrypted'
      when inet_server_addr() is null or host(inet_server_addr()) = host(inet_client_addr()) then 'local'
      else 'plain'
    end as connection`
