import { expect, it } from 'vitest'
import { applyEvent, type Row, type Rows } from '#projections/projection.ts'
import { prepareTables } from '#projections/tables.ts'
import { newEvent, readAllEvents } from '#tests/support/events.ts'
import { readTableRows, foldRows } from '#tests/support/rebuild.ts'
import { useRebuildFixture } from '#tests/support/rebuild-fixture.ts'
import { validAppointments, tags, appointments } from '#tests/support/appointments.ts'

const house = useRebuildFixture()

it('takes in at the start what happened in a long pause, and stops only who cannot, at the one event', async () => {
  const opened = await house.write(newEvent('PracticeOpened'))
  await house.history(7_000)
  const broken = await house.write(newEvent('AppointmentBroken', { id: 'h1' }))
  await house.history(6_000)
  await prepareTables(house.pool, [appointments, tags])
  await house.pool.query('update read.checkpoints set position = $1', [opened])

  const feed = await house.follow([appointments, tags])
  expect(await feed.getStates()).toMatchObject([
    { name: 'appointments', state: 'failed' },
    { name: 'tags', state: 'running', lag: 0 },
  ])
  expect(await readTableRows(house.pool, tags)).toEqual(await foldRows(house.store, tags))
  const rows: Rows = new Map()
  for (const event of await readAllEvents(house.store))
    if (event.position < broken) applyEvent(validAppointments, rows, event)
  const due = [...rows.values()].filter((row): row is Row => row !== null)
  expect(await readTableRows(house.pool, appointments)).toEqual(
    due.toSorted((a, b) => (String(a['id']) < String(b['id']) ? -1 : 1)),
  )
  const { rows: checkpoints } = await house.pool.query(
    `select failed_at_position from read.checkpoints where name = 'appointments'`,
  )
  expect(checkpoints).toEqual([{ failed_at_position: broken }])
})
