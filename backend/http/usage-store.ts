import type { Pool } from 'pg'
import type { Migration } from '#database/migrations.ts'
import { statement } from '#database/prepared.ts'
import { type Amount, clockSkewMs, type Period, periods, periodsMs, type Usage } from './usage.ts'

/**
 * The usage of practices in the current minute, hour and day, counted by all instances. `owner` is a practice's id, or
 * the name of what all demo practices share; `is_demo` is null where it is not known.
 */
export const usageMigration: Migration = {
  id: 'http-003-write-usage',
  sql: `create table app.write_usage (
          owner text collate "C" not null,
          period text collate "C" not null,
          began_at timestamptz not null,
          ends_at timestamptz not null,
          rows int8 not null,
          bytes int8 not null,
          is_demo bool,
          primary key (owner, period)) with (fillfactor = 50);
        create index on app.write_usage (ends_at);`,
}

/** An amount that an owner has written since the last call. */
export type Addition = Amount & { owner: string; isDemo: boolean | null }

/** The usage of an owner; `isDemo` is null as long as no instance knows it. */
export type StoredUsage = { usage: Usage; isDemo: boolean | null }

/** The usage that all instances share. */
export type UsageStore = {
  /** Adds amounts, which may be zero, and returns the sums of all instances, by owner. One statement. */
  add(additions: readonly Addition[], now: Date): Promise<Map<string, StoredUsage>>
}

/** Continues the periods that are current, as `isCurrent` decides, and begins the others. In one order: no deadlocks. */
const addSql = `
  insert into app.write_usage as u (owner, period, began_at, ends_at, rows, bytes, is_demo)
  select a.owner, p.period, $5::timestamptz, $5::timestamptz + p.ms * interval '1 millisecond', a.rows, a.bytes, a.is_demo
  from unnest($1::text[], $2::int8[], $3::int8[], $4::bool[]) as a (owner, rows, bytes, is_demo)
  cross join unnest($6::text[], $7::int8[]) as p (period, ms)
  order by a.owner collate "C", p.period collate "C"
  on conflict (owner, period) do update set
    rows = excluded.rows + case when u.began_at <= $8 and u.ends_at > $5 then u.rows else 0 end,
    bytes = excluded.bytes + case when u.began_at <= $8 and u.ends_at > $5 then u.bytes else 0 end,
    began_at = case when u.began_at <= $8 and u.ends_at > $5 then u.began_at else excluded.began_at end,
    ends_at = case when u.began_at <= $8 and u.ends_at > $5 then u.ends_at else excluded.ends_at end,
    is_demo = coalesce(excluded.is_demo, u.is_demo)
  returning owner, period, began_at, rows::float8, bytes::float8, is_demo`

type Row = Amount & { owner: string; period: Period; began_at: Date; is_demo: boolean | null }

/** Creates the store. Commits on its pool need not wait for the disk: at most the counts of half a second are lost. */
export function createUsageStore(pool: Pool): UsageStore {
  return {
    async add(additions, now) {
      const { rows } = await pool.query<Row>(
        statement(addSql, [
          additions.map(({ owner }) => owner),
          additions.map(({ rows: events }) => events),
          additions.map(({ bytes }) => bytes),
          additions.map(({ isDemo }) => isDemo),
          now,
          periods,
          periods.map((period) => periodsMs[period]),
          new Date(now.getTime() + clockSkewMs),
        ]),
      )
      const byOwner = Map.groupBy(rows, ({ owner }) => owner)
      return new Map([...byOwner].map(([owner, ofOwner]) => [owner, toStoredUsage(ofOwner)]))
    },
  }
}

function toStoredUsage(rows: readonly Row[]): StoredUsage {
  const windows = rows.map(({ period, began_at: beganAt, rows: events, bytes }) => [
    period,
    { beganAt: beganAt.getTime(), rows: events, bytes },
  ])
  return { usage: Object.fromEntries(windows) as Usage, isDemo: rows[0]?.is_demo ?? null }
}

/** Deletes the usage of practices that have written nothing for a day. */
export async function deleteExpiredUsage(pool: Pool, now: Date): Promise<void> {
  await pool.query('delete from app.write_usage where ends_at <= $1', [now])
}
