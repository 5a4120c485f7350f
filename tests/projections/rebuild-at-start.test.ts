import { describe, expect, it } from 'vitest'
import { swapBack } from '#projections/rebuild/rebuild.ts'
import { newEvent } from '#tests/support/events.ts'
import { liveRows, rebuiltRows } from '#tests/support/rebuild.ts'
import { rebuildHouse } from '#tests/support/rebuild-house.ts'
import { booked, sound, tags, visits } from '#tests/support/visits.ts'

describe('a rebuild at a start', () => {
  const house = rebuildHouse()
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
      for (const model of [sound, tags])
        expect(await liveRows(house.pool, model)).toEqual(await rebuiltRows(house.store, model))
      const { rows } = await house.pool.query('select name from read.checkpoints order by name')
      expect(rows).toEqual([{ name: 'tags' }, { name: 'visits' }])
      const { rows: tables } = await house.pool.query(`select tablename from pg_tables where schemaname = 'read'`)
      expect(tables.map(({ tablename }) => tablename).toSorted()).toEqual(['checkpoints', 'origin', 'tags', 'visits'])
    })

    it('ends where an event stops it, with everything before it', async () => {
      await history(6_000)
      const position = await write(booked('before'), newEvent('VisitBroken', { id: 'h1' }), booked('behind'))
      const feed = await follow([visits, tags])
      expect(await feed.getStates()).toMatchObject([{ state: 'failed' }, { state: 'running', lag: 0 }])
      const ids = (await liveRows(house.pool, sound)).map(({ id }) => id)
      expect([ids.includes('before'), ids.includes('behind')]).toEqual([true, false])
      const { rows } = await house.pool.query(`select stopped_at from read.checkpoints where name = 'visits'`)
      expect(rows[0].stopped_at < position).toBe(true)
      expect(await checkpoint('visits~next')).toBeUndefined()
    })
  })

  describe('because the version went up', () => {
    const raised = { ...sound, version: 2, columns: { ...sound.columns, moves: 'int8' } } as typeof sound

    it('is done at the start, while copies of before go on until the moment of the exchange', async () => {
      await history(2_000)
      const before = await follow()
      await follow([raised])
      expect(await checkpoint('visits')).toMatchObject({ version: 2, state: 'running' })
      expect(await checkpoint('visits~previous')).toMatchObject({ version: 1 })
      expect(await liveRows(house.pool, raised)).toEqual(await rebuiltRows(house.store, raised))
      await expect.poll(async () => (await before.getStates())[0]).toMatchObject({ name: 'visits', state: 'stopped' })
    })

    it('is undone by the code of before, with the table of before', async () => {
      await history(2_000)
      await (await follow()).stop()
      await (await follow([raised])).stop()
      await house.pool.query(`update read."visits~previous" set moves = 77 where id = 'h14'`)
      await write(booked('since'))
      await follow()
      expect(await checkpoint('visits')).toMatchObject({ version: 1 })
      const rows = await liveRows(house.pool, sound)
      expect(rows.find(({ id }) => id === 'h14')).toMatchObject({ moves: 77 })
      expect(rows.map(({ id }) => id)).toContain('since')
      expect(await swapBack(house, sound)).toBeNull()
    })

    it('is done once by copies that start together', async () => {
      await history(2_000)
      await (await follow()).stop()
      const [one] = await Promise.all([follow([raised]), follow([raised])])
      await one.waitUntilCaughtUp(['VisitBooked'], await write(booked('both')))
      expect(await liveRows(house.pool, raised)).toEqual(await rebuiltRows(house.store, raised))
      expect(await checkpoint('visits~previous')).toMatchObject({ version: 1 })
    })

    it('ends with the start it belongs to', async () => {
      await history(2_000)
      await (await follow()).stop()
      await expect(follow([raised], AbortSignal.abort(new Error('told to stop')))).rejects.toThrow('told to stop')
    })

    it('leaves the old table in place where an event stops it, says so, and lets the others go on', async () => {
      await history(500)
      await write(newEvent('VisitBroken', { id: 'h1' }))
      await (await follow()).stop()
      const rows = await liveRows(house.pool, sound)
      const feed = await follow([{ ...visits, version: 2 }, tags])
      expect(await feed.getStates()).toMatchObject([
        { name: 'visits', state: 'failed' },
        { name: 'tags', state: 'running' },
      ])
      expect(await liveRows(house.pool, sound)).toEqual(rows)
    })
  })
})
