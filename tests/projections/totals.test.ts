import { describe, expect, it } from 'vitest'
import { dropShadowTables } from '#projections/rebuild/drop-shadow-tables.ts'
import { rebuild, swapBack } from '#projections/rebuild/rebuild.ts'
import { compareTotals } from '#projections/totals.ts'
import { verifyProjection } from '#projections/verify/verify.ts'
import { withTransaction } from '#database/pool.ts'
import { newEvent } from '#tests/support/events.ts'
import { appointmentBooked, appointmentMoved, validAppointments } from '#tests/support/appointments.ts'
import { useRebuildFixture } from '#tests/support/rebuild-fixture.ts'

/** Appointments with the number and the moves of each day and tag. */
const counted = {
  ...validAppointments,
  name: 'counted',
  totals: {
    key: { day: 'date', tag: 'text' },
    sums: ['booked', 'moves'],
    select: (rows: string) => `
      select a.day, tag, 1 as booked, a.moves from ${rows} a cross join unnest(a.tags) as tag where tag like 't%'`,
  },
} as const

describe('the totals of a read model', () => {
  const fixture = useRebuildFixture()
  const { write, writeHistory, startRunner } = fixture

  const findDifferences = () => withTransaction(fixture.pool, 'begin', (client) => compareTotals(client, counted))

  /** Returns the function that adds new rows of the table in use to its totals. */
  async function findTriggerSource(): Promise<string | undefined> {
    const { rows } = await fixture.pool.query<{ source: string }>(
      `select p.prosrc as source from pg_trigger t join pg_proc p on p.oid = t.tgfoid
       where t.tgrelid = 'read.counted'::regclass and t.tgname = 'totals_insert'`,
    )
    return rows[0]?.source
  }

  async function readTotal(day: string, tag: string) {
    const { rows } = await fixture.pool.query<{ booked: string; moves: string }>(
      'select booked, moves from read.counted_totals where day = $1 and tag = $2',
      [day, tag],
    )
    return rows[0] && { booked: Number(rows[0].booked), moves: Number(rows[0].moves) }
  }

  it('follow each change of a row to other totals', async () => {
    const runner = await startRunner([counted])
    const follow = async (...events: ReturnType<typeof newEvent>[]) =>
      runner.waitUntilCaughtUp(
        ['AppointmentBooked', 'AppointmentMoved', 'AppointmentCancelled'],
        await write(...events),
      )
    await follow(appointmentBooked('a', { tags: ['t1', 't2'] }), appointmentBooked('b', { tags: ['t1', 'new'] }))
    expect(await readTotal('2026-11-20', 't1')).toEqual({ booked: 2, moves: 0 })
    expect(await readTotal('2026-11-20', 'new')).toBeUndefined()
    await follow(appointmentMoved('a'))
    expect(await readTotal('2026-11-20', 't1')).toEqual({ booked: 1, moves: 0 })
    expect(await readTotal('2026-11-21', 't2')).toEqual({ booked: 1, moves: 1 })
    await follow(newEvent('AppointmentCancelled', { id: 'a' }))
    expect(await readTotal('2026-11-21', 't2')).toEqual({ booked: 0, moves: 0 })
    expect(await findDifferences()).toEqual([])
  })

  it('are those of the rows after a rebuild, after a swap back, and after further events', async () => {
    await writeHistory(3_000, 300)
    const runner = await startRunner([counted])
    expect(await findDifferences()).toEqual([])
    await fixture.pool.query('update read.counted_totals set booked = booked + 1')
    for (const change of [rebuild, swapBack, rebuild]) {
      expect(await change(fixture, counted)).toMatchObject({ status: 'done' })
      const position = await write(appointmentBooked(crypto.randomUUID(), { tags: ['t3'] }), appointmentMoved('h7'))
      await runner.waitUntilCaughtUp(['AppointmentBooked', 'AppointmentMoved'], position)
      expect(await findTriggerSource()).toContain(`if tg_table_name = 'counted' then`)
      // The table that is swapped back is the one that was changed by hand.
      expect([change, (await findDifferences()).length > 0]).toEqual([change, change === swapBack])
    }
    const { rows } = await fixture.pool.query('select from read.counted_totals')
    expect(rows.length).toBeGreaterThan(5)
    expect(await dropShadowTables(fixture.pool, counted)).toBe(true)
    const tables = await fixture.pool.query<{ tablename: string }>(
      `select tablename from pg_tables where schemaname = 'read' and tablename like 'counted%' order by 1`,
    )
    expect(tables.rows.map(({ tablename }) => tablename)).toEqual(['counted', 'counted_totals'])
  })

  it('are filled by the upgrade of a projection that had none', async () => {
    const { totals: _, ...withoutTotals } = counted
    await writeHistory(500, 50)
    const before = await startRunner([withoutTotals])
    await before.stop()
    const later = { ...counted, version: 2 }
    const runner = await startRunner([later])
    await runner.waitUntilCaughtUp(['AppointmentMoved'], await write(appointmentMoved('h7', '2026-12-24')))
    expect(await findDifferences()).toEqual([])
    const { rows } = await fixture.pool.query('select from read.counted_totals')
    expect(rows.length).toBeGreaterThan(5)
  })

  it('are verified with the rows', async () => {
    await startRunner([counted])
    await writeHistory(200, 50)
    const runner = await startRunner([counted])
    await runner.waitUntilCaughtUp(['AppointmentMoved'], await write(appointmentMoved('h7', '2026-12-24')))
    expect(await verifyProjection(fixture, counted)).toMatchObject({ differences: 0 })
    await fixture.pool.query(`insert into read.counted_totals values ('2020-01-01', 't1', 5, 0)`)
    const found: unknown[] = []
    await verifyProjection(fixture, counted, { onDifference: (difference) => found.push(difference) })
    expect(found).toEqual([
      {
        key: '2020-01-01 t1',
        found: { day: '2020-01-01', tag: 't1', booked: 5, moves: 0 },
        expected: null,
      },
    ])
  })
})
