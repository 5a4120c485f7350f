import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createWakeUps, type WakeUps } from '#eventstore/wake-ups.ts'

let wakeUps: WakeUps
let calls = 0

beforeEach(() => {
  vi.useFakeTimers()
  calls = 0
  wakeUps = createWakeUps()
  wakeUps.onWake(() => calls++)
})
afterEach(async () => {
  await wakeUps.close()
  vi.useRealTimers()
})

it('calls listeners at once after an append that is waited for', () => {
  wakeUps.notify()
  expect(calls).toBe(1)
})

it('calls listeners once for an append that is not waited for and the next one', () => {
  wakeUps.notify({ isWaitedFor: false })
  expect(calls).toBe(0)
  wakeUps.notify()
  expect(calls).toBe(1)
  vi.runAllTimers()
  expect(calls).toBe(1)
})

it('calls listeners a moment later where no other append follows, once for several', () => {
  wakeUps.notify({ isWaitedFor: false })
  wakeUps.notify({ isWaitedFor: false })
  vi.runAllTimers()
  expect(calls).toBe(1)
  wakeUps.notify({ isWaitedFor: false })
  vi.runAllTimers()
  expect(calls).toBe(2)
})

it('calls no listener after it was closed', async () => {
  wakeUps.notify({ isWaitedFor: false })
  await wakeUps.close()
  vi.runAllTimers()
  expect(calls).toBe(0)
})
