import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { EventStore } from '#eventstore/event-store.ts'
import { createProjectionRunner, type ProjectionRunner } from '#projections/runner/runner.ts'
import { readTableRows, foldRows } from '#tests/support/rebuild.ts'
import { useRebuildFixture } from '#tests/support/rebuild-house.ts'
import { waitUntil } from '#tests/support/until.ts'
import { appointmentBooked, appointmentMoved, validAppointments, tags } from '#tests/support/appointments.ts'

const logger = pino({ level: 'silent' })

describe('a read model that is far behind the others', () => {
  const house = useRebuildFixture()

  async function followOver(readAll: EventStore['readAll']): Promise<ProjectionRunner> {
    const feed = createProjectionRunner({
      store: { ...house.store, readAll },
      pool: house.pool,
      projections: [validAppointments, tags],
      logger,
    })
    onTestFinished(() => feed.stop())
    await feed.start()
    return feed
  }

  it('catches up with the events it cares for alone', async () => {
    await house.history(8_000)
    await (await house.follow()).stop()
    await house.history(7_000)
    await (await house.follow([validAppointments])).stop()
    const seen = new Map<string, number>()
    const feed = await followOver(async (after, limit, types) => {
      const page = await house.store.readAll(after, limit, types)
      const asked = types?.join() ?? 'everything'
      seen.set(asked, (seen.get(asked) ?? 0) + page.scanned)
      return page
    })
    expect(await feed.getStates()).toMatchObject([{ lag: 0 }, { name: 'tags', state: 'running', lag: 0 }])
    for (const model of [validAppointments, tags])
      expect(await readTableRows(house.pool, model)).toEqual(await foldRows(house.store, model))
    expect(seen.get('AppointmentBooked')).toBe(2_000)
  })

  it('keeps nobody waiting for what the others show', async () => {
    await house.history(8_000)
    const { next: early } = await house.store.readAll(null, 1_000)
    let pages = 0
    let isHeld = false
    let turnPage = () => undefined as void
    const feed = await followOver(async (after, limit, types) => {
      if (isHeld && types?.join() === 'AppointmentBooked' && pages++ > 0)
        await new Promise<void>((resolve) => (turnPage = resolve))
      return await house.store.readAll(after, limit, types)
    })
    isHeld = true
    onTestFinished(() => {
      isHeld = false
      turnPage()
    })
    // As a crash of the database takes back what was not yet on the disk.
    await house.pool.query(`update read.checkpoints set position = $1 where name = 'tags'`, [early])
    await waitUntil(() => pages === 2)
    await house.write(appointmentBooked('urgent'))
    const position = await house.write(appointmentMoved('urgent'))
    const caughtUp = feed.waitUntilCaughtUp(['AppointmentMoved'], position)
    // One page of the one that is far behind, of which there are five more, is all that the others wait for.
    turnPage()
    await waitUntil(() => pages === 3)
    await caughtUp
    const [shown, behind] = await feed.getStates()
    expect([shown?.lag, behind?.lag]).toEqual([0, 1_000])
    expect((await readTableRows(house.pool, validAppointments)).find(({ id }) => id === 'urgent')).toMatchObject({
      moves: 1,
    })
  })
})
