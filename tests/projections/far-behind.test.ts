import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { EventStore } from '#eventstore/event-store.ts'
import { createFeed, type Feed } from '#projections/feed.ts'
import { liveRows, rebuiltRows } from '#tests/support/rebuild.ts'
import { rebuildHouse } from '#tests/support/rebuild-house.ts'
import { until } from '#tests/support/until.ts'
import { booked, moved, sound, tags } from '#tests/support/visits.ts'

const logger = pino({ level: 'silent' })

describe('a read model that is far behind the others', () => {
  const house = rebuildHouse()

  async function followOver(readAll: EventStore['readAll']): Promise<Feed> {
    const feed = createFeed({
      store: { ...house.store, readAll },
      pool: house.pool,
      projections: [sound, tags],
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
    await (await house.follow([sound])).stop()
    const seen = new Map<string, number>()
    const feed = await followOver(async (after, limit, types) => {
      const page = await house.store.readAll(after, limit, types)
      const asked = types?.join() ?? 'everything'
      seen.set(asked, (seen.get(asked) ?? 0) + page.seen)
      return page
    })
    expect(await feed.state()).toMatchObject([{ lag: 0 }, { name: 'tags', state: 'running', lag: 0 }])
    for (const model of [sound, tags])
      expect(await liveRows(house.pool, model)).toEqual(await rebuiltRows(house.store, model))
    expect(seen.get('VisitBooked')).toBe(2_000)
  })

  it('keeps nobody waiting for what the others show', async () => {
    await house.history(8_000)
    const { next: early } = await house.store.readAll(null, 1_000)
    let pages = 0
    let isHeld = false
    let turnPage = () => undefined as void
    const feed = await followOver(async (after, limit, types) => {
      if (isHeld && types?.join() === 'VisitBooked' && pages++ > 0)
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
    await until(() => pages === 2)
    await house.write(booked('urgent'))
    const position = await house.write(moved('urgent'))
    const caughtUp = feed.caughtUp(['VisitMoved'], position)
    // One page of the one that is far behind, of which there are five more, is all that the others wait for.
    turnPage()
    await until(() => pages === 3)
    await caughtUp
    const [shown, behind] = await feed.state()
    expect([shown?.lag, behind?.lag]).toEqual([0, 1_000])
    expect((await liveRows(house.pool, sound)).find(({ id }) => id === 'urgent')).toMatchObject({ moves: 1 })
  })
})
