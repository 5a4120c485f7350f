import { Client } from 'pg'
import { waitUntil } from './until.ts'

/** The advisory lock that holds an append; the application uses no lock with this number. */
const holdLock = 4_711

/** An event store whose appends are held midway. */
export type HeldAppends = {
  /** Waits until an append is held: its events are written but not committed, and all other appends queue behind it. */
  reached(): Promise<void>
  /** Releases the held append and all later ones. */
  release(): Promise<void>
}

/**
 * Holds the append that writes the `count`th event of a type before its commit, however fast the machine is. Call it before
 * the work starts. To a store whose call times out, the outcome of the held append is unknown.
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
      if (select count(*) from es.events where type = '${type}') >= ${count} then
        perform pg_advisory_xact_lock_shared(${holdLock});
      end if;
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
