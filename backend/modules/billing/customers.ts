import type { Pool } from 'pg'

/** The payment provider's customer id of each practice. */
export const customersMigration = {
  id: 'billing-002-customers',
  sql: 'create table app.billing_customers (practice_id uuid primary key, customer_id text not null)',
}

/** Returns the payment provider's customer id of a practice; undefined without one. */
export async function findCustomerId(pool: Pool, practiceId: string): Promise<string | undefined> {
  const { rows } = await pool.query<{ customer_id: string }>(
    'select customer_id from app.billing_customers where practice_id = $1',
    [practiceId],
  )
  return rows[0]?.customer_id
}

/** Returns the payment provider's customer id of a practice. Creates the customer on first use. */
export async function findOrCreateCustomer(
  pool: Pool,
  practiceId: string,
  createCustomer: () => Promise<string>,
): Promise<string> {
  const existing = await findCustomerId(pool, practiceId)
  if (existing !== undefined) return existing
  const created = await createCustomer()
  await pool.query(
    'insert into app.billing_customers (practice_id, customer_id) values ($1, $2) on conflict (practice_id) do nothing',
    [practiceId, created],
  )
  // A concurrent request may have inserted first; its customer is used.
  return (await findCustomerId(pool, practiceId)) ?? created
}
