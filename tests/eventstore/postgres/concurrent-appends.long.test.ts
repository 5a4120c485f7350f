import type { Pool } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { toVerdict } from '#tests/stress/appends.ts'
import { runConcurrentAppends } from '#tests/stress/concurrent-appends.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts'
import { waitUntil } from '#tests/support/wait-until.ts'
import { itLong } from '#tests/support/long.ts'

const writers = 16

/** SQL that replaces `max(position)` in a deliberately broken store. */
const sequence = `create sequence es.numbers;
create function es.next(bigint) returns bigint language sql as 'select nextval(''es.numbers'')'`

describe('concurrent appends to PostgreSQL (a short `npm run stress`)', () => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await createTestDatabase()
  })
  afterEach(() => database.drop())

  itLong('has no gaps, duplicates or disorder with sixteen writers that pause before their commit', async () => {
    const report = await runConcurrentAppends({ url: database.url, appends: 1_500, writers })
    expect(report.problems).toEqual([])
    expect(toVerdict(report, writers)).toMatchObject({ ok: true })
    expect(report.appends).toBeGreaterThanOrEqual(1_500)
    // Rollbacks and conflicts, whose events must never be seen, did happen.
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
  ])('detects a store %s', async (_, breaking, problem) => {
    const whenOpen = async (pool: Pool) => {
      const { rows } = await pool.query(`select pg_get_functiondef('es.append_group'::regproc) as text`)
      const broken = breaking(rows[0].text)
      expect(broken).not.toBe(rows[0].text)
      await pool.query(`${sequence}; ${broken}`)
    }
    // The fault needs a collision of two writers: retried with a fresh database until there was one.
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
