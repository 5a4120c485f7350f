import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Migration } from './migrations.ts'

/** The minutes in which any instance of the application worked: one row for each hour, one bit for each of its minutes. */
export const uptimeMigration: Migration = {
  id: 'uptime-001-hours',
  sql: `create table app.uptime_hours (
          hour timestamptz primary key,
          -- Bit 0 is the first minute. Rows are kept, because the first one says when the measurements began.
          minutes bigint not null)`,
}

/** An hour (its first instant) and its minutes as bits. */
export type UptimeHour = { hour: Date; minutes: bigint }

/** Records the minutes in which the application works, for all instances. A minute without a record counts as down. */
export type UptimeLog = {
  /** Records the current minute if the application works. Never throws: what fails is a minute that counts as down. */
  record(): Promise<void>
  /** Returns the instant of the first record, null without any, and the hours that overlap the time since `from`. */
  read(from: Date): Promise<{ since: Date | null; hours: UptimeHour[] }>
}

type Options = {
  pool: Pool
  clock: () => Date
  logger: Logger
  /** Returns whether this instance can read and write. */
  isWorking: () => Promise<boolean>
}

/** Milliseconds between two samples: a minute in which one of them fails is still recorded. */
const sampleIntervalMs = 20_000
const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Returns the first instant of the hour of an instant. All hours begin with whole hours of UTC. */
export const toHour = (at: Date): Date => new Date(Math.floor(at.getTime() / hourMs) * hourMs)

/** Creates the log on a database. */
export function createUptimeLog({ pool, clock, logger, isWorking }: Options): UptimeLog {
  return {
    async record() {
      try {
        if (!(await isWorking())) return
        const at = clock()
        const minute = Math.floor((at.getTime() % hourMs) / minuteMs)
        await pool.query(recordSql, [toHour(at), minute])
      } catch (err) {
        logger.warn({ err }, 'uptime not recorded')
      }
    },
    async read(from) {
      const { rows } = await pool.query<{ hour: Date; minutes: string }>(readSql, [toHour(from)])
      const hours = rows.map(({ hour, minutes }) => ({ hour, minutes: BigInt(minutes) }))
      const [first] = hours
      return { since: first ? new Date(first.hour.getTime() + firstMinute(first.minutes) * minuteMs) : null, hours }
    },
  }
}

/** Returns the number of the first minute in an hour's bits. */
function firstMinute(minutes: bigint): number {
  let minute = 0
  while (minute < 59 && ((minutes >> BigInt(minute)) & 1n) === 0n) minute++
  return minute
}

/** Samples at once and then regularly, one sample at a time. Returns a function that stops it. */
export function startSampling(log: Pick<UptimeLog, 'record'>, intervalMs = sampleIntervalMs): () => void {
  let isSampling = false
  async function sample(): Promise<void> {
    // A database that does not respond must not collect samples that wait.
    if (isSampling) return
    isSampling = true
    await log.record()
    isSampling = false
  }
  void sample()
  const timer = setInterval(() => void sample(), intervalMs)
  return () => clearInterval(timer)
}

const recordSql = `
  insert into app.uptime_hours as u (hour, minutes) values ($1, 1::bigint << $2::int)
  on conflict (hour) do update set minutes = u.minutes | excluded.minutes
  where u.minutes | excluded.minutes <> u.minutes`

// The first row, and those since an hour.
const readSql = `
  select hour, minutes::text from app.uptime_hours
  where hour >= $1 or hour = (select min(hour) from app.uptime_hours) order by hour`
