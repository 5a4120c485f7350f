import type { Pool } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { toVerdict } from '#tests/stress/appends.ts'
import { runConcurrentAppends } from '#tests/stress/under-fire.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts'
import { waitUntil } from '#tests/support/until.ts'

const writers = 16

/** What stands in the place of `max(position)` where a record is broken on purpose. */
const sequence = `create sequence es.numbers;
create function es.next(bigint) returns bigint language sql as 'select nextval(''es.numbers'')'`

describe('the PostgreSQL store under fire (a short `npm run stress`)', () => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await createTestDatabase()
  })
  afterEach(() => database.drop())

  it('misses, doubles and disorders nothing, with sixteen writers that pause before they commit', async () => {
    const report = await runConcurrentAppends({ url: database.url, appends: 1_500, writers })
    expect(report.problems).toEqual([])
    expect(toVerdict(report, writers)).toMatchObject({ ok: true })
    expect(report.appends).toBeGreaterThanOrEqual(1_500)
    // Both kinds of what must never be seen did happen.
    expect(report.rolledBack).toBeGreaterThan(0)
    expect(report.conflicts).toBeGreaterThan(0)
  })

  it.each([
    ['without its lock', (text: string) => text.replace(/perform pg_advisory_xact_lock\(\d+\);/, ''), 'duplicate key'],
    [
      'with positions of a sequence',
      (text: string) =>
        text
          .replace(/perform pg_advisory_xact_lock\(\d+\);/, '')
          .replace('head + row_number() over (order by e.nr)', 'es.next(e.nr)'),
      'position',
    ],
  ])('would notice a record that is kept %s', async (_, breaking, problem) => {
    const whenOpen = async (pool: Pool) => {
      const { rows } = await pool.query(`select pg_get_functiondef('es.append_group'::regproc) as text`)
      const broken = breaking(rows[0].text)
      expect(broken).not.toBe(rows[0].text)
      await pool.query(`${sequence}; ${broken}`)
    }
    // Writers have to meet for it: they are sent to one record after another until they have.
    await waitUntil(async () => {
      const broken = await createTestDatabase()
      try {
        const report = await runConcurrentAppends({ url: broken.url, appends: 300, writers, onStoresOpen: whenOpen })
        return !toVerdict(report, writers).ok && report.problems.join().includes(problem)
      } finally {
        await broken.drop()
      }
    })
  })
})
