import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isBackgroundRequest } from '#web/api/user-activity.ts'
import { formatCountdown, getIdleState } from '#web/shell/idle-state.ts'

const minute = 60_000

describe('the time without input', () => {
  it('is answered with a warning two minutes before the end, which comes two minutes before that of the server', () => {
    const state = (minutes: number) => getIdleState(0, minutes * minute, 60)
    expect(state(0)).toEqual({ kind: 'active' })
    expect(state(55.99)).toEqual({ kind: 'active' })
    expect(state(56)).toEqual({ kind: 'warning', secondsLeft: 120 })
    expect(state(57.99)).toEqual({ kind: 'warning', secondsLeft: 1 })
    expect(state(58)).toEqual({ kind: 'expired' })
    // A computer that slept for a day.
    expect(state(24 * 60)).toEqual({ kind: 'expired' })
  })

  it('ends every session before the server does, with a warning before, however long the session lasts', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(30, 60, 120),
        fc.integer({ min: 0, max: 4e12 }),
        fc.integer({ min: 0, max: 130 * minute }),
        (idleMinutes, lastInputAt, idleMs) => {
          const { kind } = getIdleState(lastInputAt, lastInputAt + idleMs, idleMinutes)
          const left = idleMinutes * minute - idleMs
          expect(kind).toBe(left <= 2 * minute ? 'expired' : left <= 4 * minute ? 'warning' : 'active')
        },
      ),
    )
  })

  it('is counted down in minutes and seconds', () => {
    expect([120, 61, 60, 9, 0].map(formatCountdown)).toEqual(['2:00', '1:01', '1:00', '0:09', '0:00'])
  })
})

describe('a request', () => {
  it('has a user behind it shortly after input only', () => {
    const activity = { lastInputAt: 1_000_000, lastReportAt: 0 }
    expect(isBackgroundRequest(activity, 1_000_000)).toBe(false)
    expect(isBackgroundRequest(activity, 1_010_000)).toBe(false)
    expect(isBackgroundRequest(activity, 1_010_001)).toBe(true)
  })

  it('has a user behind it where nothing is tracked, as on the sign-in screen', () => {
    expect(isBackgroundRequest()).toBe(false)
  })
})
