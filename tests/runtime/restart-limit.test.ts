import { describe, expect, it } from 'vitest'
import { createRestartLimiter } from '#runtime/restart-limit.ts'

describe('the restart limit of the embedded database', () => {
  const minute = 60_000
  const limited = () => {
    let now = 0
    const allowed = createRestartLimiter(5, 10 * minute, () => now)
    return { allowed, pass: (milliseconds: number) => (now += milliseconds) }
  }

  it('is five times within ten minutes', () => {
    const { allowed, pass } = limited()
    const answers = Array.from({ length: 7 }, () => {
      pass(minute)
      return allowed()
    })
    expect(answers).toEqual([true, true, true, true, true, false, false])
  })

  it('starts over for every window, in a process that runs for months', () => {
    const { allowed, pass } = limited()
    for (let day = 0; day < 100; day++) {
      expect(allowed()).toBe(true)
      pass(24 * 60 * minute)
    }
  })

  it('counts the last ten minutes as a sliding window', () => {
    const { allowed, pass } = limited()
    for (let one = 0; one < 5; one++) {
      allowed()
      pass(2 * minute)
    }
    expect(allowed()).toBe(true)
    expect(allowed()).toBe(false)
    pass(2 * minute)
    expect(allowed()).toBe(true)
  })
})
