import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { EventStore } from '#eventstore/event-store.ts'
import { createProjectionRunner, type ProjectionRunner } from '#projections/runner/runner.ts'
import { endlessTimeouts } from '#tests/support/endless-timeouts.ts'
import { readTableRows, foldRows } from '#tests/support/rebuild.ts'
import { useRebuildFixture } from '#tests/support/rebuild-fixture.ts'
import { waitUntil } from '#tests/support/wait-until.ts'
import { appointmentBooked, appointmentMoved, validAppointments, tags } from '#tests/support/appointments.ts'

const logger = pino({ level: 'silent' })

describe('a projection that is far behind the others', () => {
  const fixture = useRebuildFixture()

  async function startRunnerOver(readAll: EventStore['readAll']): Promise<ProjectionRunner> {
    const runner = createProjectionRunner({
      store: { ...fixture.store, readAll },
      pool: fixture.pool,
      projections: [validAppointments, tags],
      logger,
      catchUpTimeoutMs: endlessTimeouts.catchUpMs,
    })
    onTestFinished(() => runner.stop())
    await runner.start()
    return runner
  }

  it('catches up by reading only the events it handles', async () => {
    await fixture.writeHistory(8_000)
    await (await fixture.startRunner()).stop()
    await fixture.writeHistory(7_000)
    await (await fixture.startRunner([validAppointments])).stop()
    const scanned = new Map<string, number>()
    const runner = await startRunnerOver(async (after, { limit, types }) => {
      const page = await fixture.store.readAll(after, { limit, types })
      const filter = types?.join() ?? 'everything'
      scanned.set(filter, (scanned.get(filter) ?? 0) + page.scanned)
      return page
    })
    expect(await runner.getStates()).toMatchObject([{ lag: 0 }, { name: 'tags', state: 'running', lag: 0 }])
    for (const model of [validAppointments, tags])
      expect(await readTableRows(fixture.pool, model)).toEqual(await foldRows(fixture.store, model))
    expect(scanned.get('AppointmentBooked')).toBe(2_000)
  })

  it('does not delay the others', async () => {
    await fixture.writeHistory(8_000)
    const { next: earlyPosition } = await fixture.store.readAll(null, { limit: 1_000 })
    let pages = 0
    let isHeld = false
    let releasePage = () => undefined as void
    const runner = await startRunnerOver(async (after, { limit, types }) => {
      if (isHeld && types?.join() === 'AppointmentBooked' && pages++ > 0)
        await new Promise<void>((resolve) => (releasePage = resolve))
      return await fixture.store.readAll(after, { limit, types })
    })
    isHeld = true
    onTestFinished(() => {
      isHeld = false
      releasePage()
    })
    // As after a crash of the database that lost the last commits.
    await fixture.pool.query(`update read.checkpoints set position = $1 where name = 'tags'`, [earlyPosition])
    await waitUntil(() => pages === 2)
    await fixture.write(appointmentBooked('urgent'))
    const position = await fixture.write(appointmentMoved('urgent'))
    const caughtUp = runner.waitUntilCaughtUp(['AppointmentMoved'], position)
    // The others wait for at most one page of the lagging projection, which has five more to read.
    releasePage()
    await waitUntil(() => pages === 3)
    await caughtUp
    const [leading, lagging] = await runner.getStates()
    expect([leading?.lag, lagging?.lag]).toEqual([0, 1_000])
    expect((await readTableRows(fixture.pool, validAppointments)).find(({ id }) => id === 'urgent')).toMatchObject({
      moves: 1,
    })
  })
})
