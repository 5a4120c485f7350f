import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { findDueQueuesSql, isNeglectedSql } from '#jobs/due-jobs.ts'
import { type JobsFixture, createJobsFixture } from '#tests/support/jobs-fixture.ts'

let fixture: JobsFixture
beforeEach(async () => (fixture = await createJobsFixture()))
afterEach(() => fixture.dispose())

const job = (name: string) => ({ name, data: z.strictObject({}), run: () => Promise.resolve() })

/** Returns the number of pages that a statement reads. */
async function countPages(sql: string, queues: readonly string[]): Promise<number> {
  const { rows } = await fixture.pool.query(`explain (analyze, buffers, format json) ${sql}`, [queues])
  const [{ Plan: plan }] = rows[0]['QUERY PLAN']
  return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
}

it('looks for due jobs without reading those that are due later or done', async () => {
  const queues = ['later', 'empty', 'done']
  const jobs = await fixture.openJobs(queues.map(job))
  await jobs.send('later', {}, { delaySeconds: 3_600 })
  await jobs.send('done', {})
  await fixture.pool.query(`
    update jobs.job set state = 'completed', completed_on = now() where name = 'done';
    insert into jobs.job (name, data, start_after, state, completed_on, policy, retry_limit, retry_delay)
      select name, data, start_after + make_interval(mins => n), state, completed_on, policy, retry_limit, retry_delay
      from jobs.job, generate_series(1, 10000) as n`)
  // A cleaned table, because a row of a page that was changed since is read itself.
  await fixture.pool.query('vacuum analyze jobs.job_common')
  expect(await countPages(findDueQueuesSql, queues)).toBeLessThan(20)
  expect(await countPages(isNeglectedSql, queues)).toBeLessThan(20)
  // What can tell the difference: all jobs, and those that are due.
  expect(await countPages('select count(data) from jobs.job where name = any($1)', queues)).toBeGreaterThan(200)
  await jobs.send('empty', {}, { id: randomUUID() })
  const due = await fixture.pool.query<{ name: string }>(findDueQueuesSql, [queues])
  expect(due.rows).toEqual([{ name: 'empty' }])
})
