import { Client, type Pool } from 'pg'
import { waitUntil } from './wait-until.ts'

/**
 * Makes every job that is to start within two minutes start at once: the pause before a follow-up or a retry passes without
 * waiting for the clock. Later ones, such as reminders, keep their time. Takes the URL of a superuser.
 */
export async function hurryJobs(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query(`
    create function public.hurry() returns trigger language plpgsql as $$ begin
      if new.start_after > now() and new.start_after < now() + interval '2 minutes' then new.start_after := now(); end if;
      return new; end $$;
    create trigger hurry before insert or update on jobs.job for each row execute function public.hurry()`)
  await client.end()
}

/** Waits like `waitUntil` for what jobs do, without the pause before they start (at most two minutes). */
export const waitForJobs = <Result>(
  pool: Pool,
  poll: () => Promise<Result>,
  isExpected: (result: Result) => boolean,
): Promise<Result> =>
  waitUntil(async () => {
    await pool.query(`update jobs.job set start_after = now()
      where state in ('created', 'retry') and start_after > now() and start_after < now() + interval '2 minutes'`)
    return await poll()
  }, isExpected)
