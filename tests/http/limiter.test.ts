import { expect, it } from 'vitest'
import { createLimiter } from '#http/limiter.ts'

const busy = (seconds: number) => new Error(`busy for ${seconds} s`)

it('runs no more tasks at once than allowed, in order of arrival', async () => {
  const limit = createLimiter(1, 10, busy)
  const order: number[] = []
  const held = Promise.withResolvers<void>()
  const first = limit(async () => {
    await held.promise
    order.push(1)
  })
  const others = [2, 3].map((number) => limit(async () => void order.push(number)))
  held.resolve()
  await Promise.all([first, ...others])
  expect(order).toEqual([1, 2, 3])
})

it('refuses a task when the queue is full', async () => {
  const limit = createLimiter(1, 1, busy)
  const held = Promise.withResolvers<string>()
  const running = [limit(() => held.promise), limit(() => held.promise)]
  await expect(limit(() => held.promise)).rejects.toThrow(/^busy for [1-9]/)
  held.resolve('done')
  expect(await Promise.all(running)).toEqual(['done', 'done'])
})

it('refuses a task that waited for too long, and never runs it', async () => {
  const limit = createLimiter(1, 10, busy, 20)
  const held = Promise.withResolvers<string>()
  const running = limit(() => held.promise)
  let hasRun = false
  const late = limit(async () => {
    hasRun = true
  })
  await expect(late).rejects.toThrow(/^busy/)
  held.resolve('done')
  expect(await running).toBe('done')
  await limit(async () => undefined)
  expect(hasRun).toBe(false)
})
