import { Client } from 'pg'
import { waitUntil } from './wait-until.ts'

/** Key of the advisory lock that blocks an append; the application does not use this key. */
const holdLock = 4_711

/** Controls an event store whose appends block before their commit. */
export type HeldAppends = {
  /** Resolves when an append is blocked: its events are written but not committed, and all other appends queue behind it. */
  reached(): Promise<void>
  /** Unblocks this append and all later ones. */
  release(): Promise<void>
}

/**
 * Blocks the append that writes the `count`th event of a type before its commit, however fast the machine is. Call it before
 * the work starts. Like a commit on a disk that stalls, it cannot be cancelled: for a caller that gives up, the outcome is
 * unknown.
 */
export async function holdAppendsAt(databaseUrl: string, type: string, count: number): Promise<HeldAppends> {
  const holder = new Client({ connectionString: databaseUrl })
  // The test may kill the database.
  holder.on('error', () => undefined)
  await holder.connect()
  await holder.query('select pg_advisory_lock($1)', [holdLock])
  await holder.query(`
    create or replace function es.hold() returns trigger language plpgsql as $$
    begin
      while (select count(*) from es.events where type = '${type}') >= ${count} loop
        begin
          perform pg_advisory_xact_lock_shared(${holdLock});
          exit;
        exception when query_canceled then
          null;
        end;
      end loop;
      return null;
    end $$;
    create or replace trigger hold after insert on es.events for each statement execute function es.hold()`)
  return {
    async reached() {
      await waitUntil(async () => {
        const { rowCount } = await holder.query(
          `select from pg_locks where locktype = 'advisory' and objid = $1 and not granted
           and database = (select oid from pg_database where datname = current_database())`,
          [holdLock],
        )
        return rowCount !== 0
      })
    },
    release: () => holder.end(),
  }
}
