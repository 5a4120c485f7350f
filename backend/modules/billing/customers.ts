import type { Pool } from 'pg'

/** Who each practice is to the payment provider. */
export const customersMigration = {
  id: 'billing-002-customers',
  sql: 'create table app.billing_customers (practice_id uuid primary key, customer_id text not null)',
}

/** The customer a practice is to the payment provider; made when it is first needed, and then always the same. */
export async function findOrCreateCustomer(
  pool: Pool,
  practiceId: string,
  make: () => Promise<string>,
): Promise<string> {
  const find = async () =>
    (
      await pool.query<{ customer_id: string }>(
        'select customer_id from app.billing_customers where practice_id = $1',
        [practiceId],
      )
    ).rows[0]?.customer_id
  const known = await find()
  if (known !== undefined) return known
  const made = await make()
  await pool.query(
    'insert into app.billing_customers (practice_id, customer_id) values ($1, $2) on conflict (practice_id) do nothing',
    [practiceId, made],
  )
  // Whoever was first is right.
  return (await find()) ?? made
}
