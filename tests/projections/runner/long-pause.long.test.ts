import { expect, it } from 'vitest'
import { applyEvent, type Row, type Rows } from '#projections/projection.ts'
import { prepareTables } from '#projections/prepare-tables.ts'
import { newEvent, readAllEvents } from '#tests/support/events.ts'
import { readTableRows, foldRows } from '#tests/support/rebuild.ts'
import { useRebuildFixture } from '#tests/support/rebuild-fixture.ts'
import { validAppointments, tags, appointments } from '#tests/support/appointments.ts'

const fixture = useRebuildFixture()

it('catches up at the start after a long pause, and stops only the failing projection, at the failing event', async () => {
  const firstPosition = await fixture.write(newEvent('PracticeOpened'))
  await fixture.writeHistory(7_000)
  const brokenPosition = await fixture.write(newEvent('AppointmentBroken', { id: 'h1' }))
  await fixture.writeHistory(6_000)
  await prepareTables(fixture.pool, [appointments, tags])
  await fixture.pool.query('update read.checkpoints set position = $1', [firstPosition])

  const runner = await fixture.startRunner([appointments, tags])
  expect(await runner.getStates()).toMatchObject([
    { name: 'appointments', state: 'failed' },
    { name: 'tags', state: 'running', lag: 0 },
  ])
  expect(await readTableRows(fixture.pool, tags)).toEqual(await foldRows(fixture.store, tags))
  const rows: Rows = new Map()
  for (const event of await readAllEvents(fixture.store))
    if (event.position < brokenPosition) applyEvent(validAppointments, rows, event)
  const expected = [...rows.values()].filter((row): row is Row => row !== null)
  expect(await readTableRows(fixture.pool, appointments)).toEqual(
    expected.toSorted((a, b) => (String(a['id']) < String(b['id']) ? -1 : 1)),
  )
  const { rows: checkpoints } = await fixture.pool.query(
    `select failed_at_position from read.checkpoints where name = 'appointments'`,
  )
  expect(checkpoints).toEqual([{ failed_at_position: brokenPosition }])
})
