import { describe, expect, it } from 'vitest'
import { findNearestSlots } from '#web/features/appointments/booking/use-slot-availability.ts'

describe('the nearest free slots', () => {
  it('are three, in order of time', () => {
    const free = ['2026-11-20T09:00', '2026-11-20T15:30', '2026-11-20T16:30', '2026-11-23T09:00'].map((start) => ({
      start,
      localDate: start.slice(0, 10),
      localTime: start.slice(11),
    }))
    const near = findNearestSlots({ date: '2026-11-20', time: '16:00' }, free as never)
    expect(near.map(({ start }) => start)).toEqual(['2026-11-20T09:00', '2026-11-20T15:30', '2026-11-20T16:30'])
  })
})
