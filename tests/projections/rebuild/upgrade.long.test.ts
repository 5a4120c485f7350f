import { describe, expect, it } from 'vitest'
import { swapBack } from '#projections/rebuild/rebuild.ts'
import { newEvent } from '#tests/support/events.ts'
import { readTableRows, foldRows } from '#tests/support/rebuild.ts'
import { useRebuildFixture } from '#tests/support/rebuild-fixture.ts'
import { appointmentBooked, validAppointments, tags, appointments } from '#tests/support/appointments.ts'
import { itLong } from '#tests/support/long.ts'

describe('a rebuild at the start', () => {
  const fixture = useRebuildFixture()
  const { startRunner, write, writeHistory, checkpoint } = fixture

  describe('of an empty table from a long history', () => {
    itLong('happens at the first start, and leaves no other table', async () => {
      await writeHistory(6_000)
      // Incremental folding would fire the trigger for every row.
      await (await startRunner([tags])).stop()
      await fixture.pool.query(`
        delete from read.tags; update read.checkpoints set position = null;
        create function refuse() returns trigger language plpgsql as $$ begin raise 'was folded incrementally'; end $$;
        create trigger refuse before insert on read.tags for each row execute function refuse()`)
      await startRunner()
      for (const model of [validAppointments, tags])
        expect(await readTableRows(fixture.pool, model)).toEqual(await foldRows(fixture.store, model))
      const { rows } = await fixture.pool.query('select name from read.checkpoints order by name')
      expect(rows).toEqual([{ name: 'appointments' }, { name: 'tags' }])
      const { rows: tables } = await fixture.pool.query(`select tablename from pg_tables where schemaname = 'read'`)
      expect(tables.map(({ tablename }) => tablename).toSorted()).toEqual([
        'appointments',
        'checkpoints',
        'origin',
        'tags',
      ])
    })

    it('ends at an event that cannot be folded, after everything before it', async () => {
      await writeHistory(6_000)
      const position = await write(
        appointmentBooked('before'),
        newEvent('AppointmentBroken', { id: 'h1' }),
        appointmentBooked('behind'),
      )
      const runner = await startRunner([appointments, tags])
      expect(await runner.getStates()).toMatchObject([{ state: 'failed' }, { state: 'running', lag: 0 }])
      const ids = (await readTableRows(fixture.pool, validAppointments)).map(({ id }) => id)
      expect([ids.includes('before'), ids.includes('behind')]).toEqual([true, false])
      const { rows } = await fixture.pool.query(
        `select failed_at_position from read.checkpoints where name = 'appointments'`,
      )
      expect(rows[0].failed_at_position < position).toBe(true)
      expect(await checkpoint('appointments~next')).toBeUndefined()
    })
  })

  describe('to a new version', () => {
    const raised = {
      ...validAppointments,
      version: 2,
      columns: { ...validAppointments.columns, moves: 'int8' },
    } as typeof validAppointments

    it('happens at the start, while older instances continue until the swap', async () => {
      await writeHistory(2_000)
      const before = await startRunner()
      await startRunner([raised])
      expect(await checkpoint('appointments')).toMatchObject({ version: 2, state: 'running' })
      expect(await checkpoint('appointments~previous')).toMatchObject({ version: 1 })
      expect(await readTableRows(fixture.pool, raised)).toEqual(await foldRows(fixture.store, raised))
      await expect
        .poll(async () => (await before.getStates())[0])
        .toMatchObject({ name: 'appointments', state: 'superseded' })
    })

    it('is undone by the previous code, with the previous table', async () => {
      await writeHistory(2_000)
      await (await startRunner()).stop()
      await (await startRunner([raised])).stop()
      await fixture.pool.query(`update read."appointments~previous" set moves = 77 where id = 'h14'`)
      await write(appointmentBooked('since'))
      await startRunner()
      expect(await checkpoint('appointments')).toMatchObject({ version: 1 })
      const rows = await readTableRows(fixture.pool, validAppointments)
      expect(rows.find(({ id }) => id === 'h14')).toMatchObject({ moves: 77 })
      expect(rows.map(({ id }) => id)).toContain('since')
      expect(await swapBack(fixture, validAppointments)).toBeNull()
    })

    it('happens once when instances start together', async () => {
      await writeHistory(2_000)
      await (await startRunner()).stop()
      const [one] = await Promise.all([startRunner([raised]), startRunner([raised])])
      await one.waitUntilCaughtUp(['AppointmentBooked'], await write(appointmentBooked('both')))
      expect(await readTableRows(fixture.pool, raised)).toEqual(await foldRows(fixture.store, raised))
      expect(await checkpoint('appointments~previous')).toMatchObject({ version: 1 })
    })

    it('ends when its start is aborted', async () => {
      await writeHistory(2_000)
      await (await startRunner()).stop()
      await expect(startRunner([raised], AbortSignal.abort(new Error('aborted')))).rejects.toThrow('aborted')
    })

    it('keeps the old table when an event cannot be folded, reports it, and does not affect the others', async () => {
      await writeHistory(500)
      await write(newEvent('AppointmentBroken', { id: 'h1' }))
      await (await startRunner()).stop()
      const rows = await readTableRows(fixture.pool, validAppointments)
      const runner = await startRunner([{ ...appointments, version: 2 }, tags])
      expect(await runner.getStates()).toMatchObject([
        { name: 'appointments', state: 'failed' },
        { name: 'tags', state: 'running' },
      ])
      expect(await readTableRows(fixture.pool, validAppointments)).toEqual(rows)
    })
  })
})
