import type { Pool } from 'pg'
import { waitUntil } from './wait-until.ts'

/**
 * Leaves the state in which a process ends before it records the results of its requests. Waits for the results first: they
 * are recorded while the replies are sent, and would otherwise overwrite this state.
 */
export async function interruptRequests(pool: Pool): Promise<void> {
  await waitUntil(async () => {
    const { rows } = await pool.query(`select from app.idempotency_keys where state = 'running'`)
    return rows.length === 0
  })
  await pool.query(`update app.idempotency_keys set state = 'interrupted', reply = null`)
}
