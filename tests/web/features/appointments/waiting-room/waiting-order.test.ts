import { describe, expect, it } from 'vitest'
import { getMinutesSince, sortWaiting } from '#web/features/appointments/waiting-room/waiting-order.ts'
import { createAppointment, id } from '../fixture.ts'

describe('the waiting room', () => {
  it('lists emergencies first, then by waiting time', () => {
    const room = [
      createAppointment({ id: id(1), status: 'waiting', statusSince: '2026-11-20T15:10:00Z' }),
      createAppointment({ id: id(2), status: 'waiting', statusSince: '2026-11-20T15:00:00Z' }),
      createAppointment({ id: id(3), status: 'waiting', type: 'emergency', statusSince: '2026-11-20T15:20:00Z' }),
      createAppointment({ id: id(4) }),
    ]
    expect(sortWaiting(room).map((each) => each.id)).toEqual([id(3), id(2), id(1)])
    expect(getMinutesSince('2026-11-20T15:00:00Z', new Date('2026-11-20T15:11:59Z'))).toBe(11)
    expect(getMinutesSince('2026-11-20T15:00:00Z', new Date('2026-11-20T14:59:00Z'))).toBe(0)
  })
})
