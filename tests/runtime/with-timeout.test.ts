import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { withTimeout } from '#runtime/with-timeout.ts'

const never = () => new Promise<never>(() => undefined)

it('settles like the work when that is in time', async () => {
  expect(await withTimeout(Promise.resolve(1), 60_000, () => 2)).toBe(1)
  await expect(withTimeout(Promise.reject(new Error('failed')), 60_000, () => 2)).rejects.toThrow('failed')
})

it('returns or throws what the time-out handler does', async () => {
  expect(await withTimeout(never(), 1, () => 2)).toBe(2)
  const fail = () => {
    throw new Error('too late')
  }
  await expect(withTimeout(never(), 1, fail)).rejects.toThrow('too late')
})

it('ignores an error that comes after the time-out', async () => {
  const unhandled: unknown[] = []
  const record = (error: unknown) => void unhandled.push(error)
  process.on('unhandledRejection', record)
  const work = Promise.withResolvers<never>()
  expect(await withTimeout(work.promise, 1, () => 'late')).toBe('late')
  work.reject(new Error('ignored'))
  // Node reports unhandled rejections before it runs the next immediate.
  await setImmediate()
  process.off('unhandledRejection', record)
  expect(unhandled).toEqual([])
})
