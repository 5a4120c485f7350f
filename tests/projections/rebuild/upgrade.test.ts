import { describe, expect, it } from 'vitest'
import { swapBack } from '#projections/rebuild/rebuild.ts'
import { newEvent } from '#tests/support/events.ts'
import { readTableRows, foldRows } from '#tests/support/rebuild.ts'
import { useRebuildFixture } from '#tests/support/rebuild-fixture.ts'
import { appointmentBooked, validAppointments, tags, appointments } from '#tests/support/appointments.ts'

describe('a rebuild at a start', () => {
  const house = useRebuildFixture()
  const { follow, write, history, checkpoint } = house

  describe('because there is a long record and nothing of it yet', () => {
    it('is done at the first start, and leaves nothing beside', async () => {
      await history(6_000)
      // Following would fire it for every row.
      await (await follow([tags])).stop()
      await house.pool.query(`
        delete from read.tags; update read.checkpoints set position = null;
        create function refuse() returns trigger language plpgsql as $$ begin raise 'was followed'; end $$;
        create trigger refuse before insert on read.tags for each row execute function refuse()`)
      await follow()
      for (const model of [validAppointments, tags])
        expect(await readTableRows(house.pool, model)).toEqual(await foldRows(house.store, model))
      const { rows } = await house.pool.query('select name from read.checkpoints order by name')
      expect(rows).toEqual([{ name: 'tags' }, { name: 'appointments' }])
      const { rows: tables } = await house.pool.query(`select tablename from pg_tables where schemaname = 'read'`)
      expect(tables.map(({ tablename }) => tablename).toSorted()).toEqual([
        'checkpoints',
        'origin',
        'tags',
        'appointments',
      ])
    })

    it('ends where an event stops it, with everything before it', async () => {
      await history(6_000)
      const position = await write(
        appointmentBooked('before'),
        newEvent('AppointmentBroken', { id: 'h1' }),
        appointmentBooked('behind'),
      )
      const feed = await follow([appointments, tags])
      expect(await feed.getStates()).toMatchObject([{ state: 'failed' }, { state: 'running', lag: 0 }])
      const ids = (await readTableRows(house.pool, validAppointments)).map(({ id }) => id)
      expect([ids.includes('before'), ids.includes('behind')]).toEqual([true, false])
      const { rows } = await house.pool.query(`select failed_at_position from read.checkpoints where name = 'appointments'`)
      expect(rows[0].failed_at_position < position).toBe(true)
      expect(await checkpoint('appointments~next')).toBeUndefined()
    })
  })

  describe('because the version went up', () => {
    const raised = {
      ...validAppointments,
      version: 2,
      columns: { ...validAppointments.columns, moves: 'int8' },
    } as typeof validAppointments

    it('is done at the start, while copies of before go on until the moment of the exchange', async () => {
      await history(2_000)
      const before = await follow()
      await follow([raised])
      expect(await checkpoint('appointments')).toMatchObject({ version: 2, state: 'running' })
      expect(await checkpoint('appointments~previous')).toMatchObject({ version: 1 })
      expect(await readTableRows(house.pool, raised)).toEqual(await foldRows(house.store, raised))
      await expect
        .poll(async () => (await before.getStates())[0])
        .toMatchObject({ name: 'appointments', state: 'superseded' })
    })

    it('is undone by the code of before, with the table of before', async () => {
      await history(2_000)
      await (await follow()).stop()
      await (await follow([raised])).stop()
      await house.pool.query(`update read."appointments~previous" set moves = 77 where id = 'h14'`)
      await write(appointmentBooked('since'))
      await follow()
      expect(await checkpoint('appointments')).toMatchObject({ version: 1 })
      const rows = await readTableRows(house.pool, validAppointments)
      expect(rows.find(({ id }) => id === 'h14')).toMatchObject({ moves: 77 })
      expect(rows.map(({ id }) => id)).toContain('since')
      expect(await swapBack(house, validAppointments)).toBeNull()
    })

    it('is done once by copies that start together', async () => {
      await history(2_000)
      await (await follow()).stop()
      const [one] = await Promise.all([follow([raised]), follow([raised])])
      await one.waitUntilCaughtUp(['AppointmentBooked'], await write(appointmentBooked('both')))
      expect(await readTableRows(house.pool, raised)).toEqual(await foldRows(house.store, raised))
      expect(await checkpoint('appointments~previous')).toMatchObject({ version: 1 })
    })

    it('ends with the start it belongs to', async () => {
      await history(2_000)
      await (await follow()).stop()
      await expect(follow([raised], AbortSignal.abort(new Error('told to stop')))).rejects.toThrow('told to stop')
    })

    it('leaves the old table in place where an event stops it, says so, and lets the others go on', async () => {
      await history(500)
      await write(newEvent('AppointmentBroken', { id: 'h1' }))
      await (await follow()).stop()
      const rows = await readTableRows(house.pool, validAppointments)
      const feed = await follow([{ ...appointments, version: 2 }, tags])
      expect(await feed.getStates()).toMatchObject([
        { name: 'appointments', state: 'failed' },
        { name: 'tags', state: 'running' },
      ])
      expect(await readTableRows(house.pool, validAppointments)).toEqual(rows)
    })
  })
})
