import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Migration } from './migrations.ts'

/** A service outside of the application that it calls. */
export type Vendor = 'ai' | 'payments' | 'email' | 'sms' | 'clearinghouse' | 'database'

/** Milliseconds after which a test of a vendor fails: a request that may write ends at `requestMs` (timeouts.ts), and records it. */
export const vendorTestTimeoutMs = 3_000

/** The last calls of each vendor, one row each. `last_error` is a code, never a message: replies of vendors may quote data. */
export const vendorCallsMigration: Migration = {
  id: 'vendors-001-calls',
  sql: `create table app.vendor_calls (
          vendor text collate "C" primary key,
          last_success_at timestamptz,
          last_error_at timestamptz,
          last_error text collate "C");`,
}

/** The last success and the last error of a vendor. */
export type VendorState = { lastSuccessAt: Date | null; lastError: { at: Date; code: string } | null }

/** Records how calls of vendors end, for all instances. It survives a restart. */
export type VendorLog = {
  /** Records the end of a call; `error` is null for a success. Never throws: the call itself matters more. */
  record(vendor: Vendor, error: string | null): Promise<void>
  /** Returns the state of a vendor; without any call, both parts are null. */
  find(vendor: Vendor): Promise<VendorState>
}

type Row = { last_success_at: Date | null; last_error_at: Date | null; last_error: string | null }

/** A code consists of these characters, so that no address, key or name can be in one. */
const isCode = (text: string) => /^[A-Za-z][\w-]{0,39}$/.test(text)

/** Creates the log on a database. */
export function createVendorLog({ pool, clock, logger }: { pool: Pool; clock: () => Date; logger: Logger }): VendorLog {
  const write = (vendor: Vendor, error: string | null) =>
    error === null
      ? pool.query(recordSuccessSql, [vendor, clock()])
      : pool.query(recordErrorSql, [vendor, clock(), isCode(error) ? error : 'failed'])
  return {
    async record(vendor, error) {
      await write(vendor, error).catch((err: unknown) => logger.warn({ err }, 'call of a vendor not recorded'))
    },
    async find(vendor) {
      const { rows } = await pool.query<Row>(
        'select last_success_at, last_error_at, last_error from app.vendor_calls where vendor = $1',
        [vendor],
      )
      const { last_success_at: lastSuccessAt = null, last_error_at: at = null, last_error: code = null } = rows[0] ?? {}
      return { lastSuccessAt, lastError: at && code !== null ? { at, code } : null }
    },
  }
}

// The clocks of instances differ: the later instant stays.
const recordSuccessSql = `
  insert into app.vendor_calls as v (vendor, last_success_at) values ($1, $2)
  on conflict (vendor) do update set last_success_at = greatest(v.last_success_at, $2)`
const recordErrorSql = `
  insert into app.vendor_calls as v (vendor, last_error_at, last_error) values ($1, $2, $3)
  on conflict (vendor) do update set last_error_at = $2, last_error = $3 where v.last_error_at is null or v.last_error_at <= $2`
