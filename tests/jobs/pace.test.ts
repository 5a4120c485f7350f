import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPace } from '#jobs/pace.ts'

const signal = new AbortController().signal

/** A clock that only moves when someone pauses. */
function createTiming() {
  let at = 0
  return {
    now: () => at,
    advance: (milliseconds: number) => void (at += milliseconds),
    pause: async (milliseconds: number) => void (at += milliseconds),
  }
}

describe('a pace', () => {
  it('never exceeds its rate, whenever it is asked, and waits no longer than it must', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 6_000 }),
        fc.array(fc.integer({ min: 0, max: 10_000 }), { maxLength: 60 }),
        async (perMinute, gaps) => {
          const timing = createTiming()
          const pace = createPace(perMinute, timing)
          const distance = 60_000 / perMinute
          let last: number | null = null
          for (const gap of gaps) {
            timing.advance(gap)
            const asked = timing.now()
            await pace.wait(signal)
            const earliest: number = last === null ? asked : Math.max(asked, last + distance)
            expect(timing.now()).toBeCloseTo(earliest, 3)
            last = timing.now()
          }
        },
      ),
    )
  })

  it('ends the wait of a job that is stopped', async () => {
    const pace = createPace(1)
    await pace.wait(signal)
    const stopping = new AbortController()
    const waiting = pace.wait(stopping.signal)
    stopping.abort()
    await expect(waiting).rejects.toThrow('aborted')
  })
})
