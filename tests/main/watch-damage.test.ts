import type { Pool } from 'pg'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { watchDamage } from '#main/watch-damage.ts'

const minuteMs = 60_000

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

/** Creates a database of which every query fails once it is let go. */
function createHeldDatabase() {
  const held: ((error: Error) => void)[] = []
  const query = () => new Promise((_, reject) => held.push(reject))
  return { pool: { query } as unknown as Pool, held }
}

it('checks stored pages one at a time, with a pause between two checks', async () => {
  const { pool, held } = createHeldDatabase()
  const messages: string[] = []
  const logger = pino({ level: 'info' }, { write: (line) => void messages.push(line) })
  const check = watchDamage(pool, logger)
  check()
  expect(held).toHaveLength(1)
  vi.advanceTimersByTime(61 * minuteMs)
  check()
  expect(held).toHaveLength(1)

  held[0]?.(new Error('gone'))
  await vi.waitUntil(() => messages.length === 1)
  check()
  expect(held).toHaveLength(1)
  vi.advanceTimersByTime(minuteMs)
  check()
  expect(held).toHaveLength(2)
})
