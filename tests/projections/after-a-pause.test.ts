import { expect, it } from 'vitest'
import { applyEvent, type Row, type Rows } from '#projections/projection.ts'
import { prepareTables } from '#projections/tables.ts'
import { newEvent, readEverything } from '#tests/support/events.ts'
import { liveRows, rebuiltRows } from '#tests/support/rebuild.ts'
import { rebuildHouse } from '#tests/support/rebuild-house.ts'
import { sound, tags, visits } from '#tests/support/visits.ts'

const house = rebuildHouse()

it('takes in at the start what happened in a long pause, and stops only who cannot, at the one event', async () => {
  const opened = await house.write(newEvent('PracticeOpened'))
  await house.history(7_000)
  const broken = await house.write(newEvent('VisitBroken', { id: 'h1' }))
  await house.history(6_000)
  await prepareTables(house.pool, [visits, tags])
  await house.pool.query('update read.checkpoints set position = $1', [opened])

  const feed = await house.follow([visits, tags])
  expect(await feed.getStates()).toMatchObject([
    { name: 'visits', state: 'failed' },
    { name: 'tags', state: 'running', lag: 0 },
  ])
  expect(await liveRows(house.pool, tags)).toEqual(await rebuiltRows(house.store, tags))
  const rows: Rows = new Map()
  for (const event of await readEverything(house.store)) if (event.position < broken) applyEvent(sound, rows, event)
  const due = [...rows.values()].filter((row): row is Row => row !== null)
  expect(await liveRows(house.pool, visits)).toEqual(
    due.toSorted((a, b) => (String(a['id']) < String(b['id']) ? -1 : 1)),
  )
  const { rows: checkpoints } = await house.pool.query(`select stopped_at from read.checkpoints where name = 'visits'`)
  expect(checkpoints).toEqual([{ stopped_at: broken }])
})
