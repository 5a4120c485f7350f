import { describe, expect, it } from 'vitest'
import {
  computeLoad,
  findConflicts,
  findFreeSlots,
  getAdjacentSlot,
  getLatestEnd,
  getSlotState,
} from '#web/features/appointments/slots.ts'
import { chenId, createAppointment, id, parkId } from './fixture.ts'

describe('the slots of a day', () => {
  const day = [
    createAppointment({ localTime: '15:00', duration: 60 }),
    createAppointment({ id: id(11), localTime: '09:15', duration: 15 }),
    createAppointment({ id: id(12), localTime: '11:00', status: 'cancelled' }),
  ]

  it('are booked, busy or free', () => {
    expect(getSlotState('15:00', day)).toBe('booked')
    expect(getSlotState('15:30', day)).toBe('busy')
    expect(getSlotState('16:00', day)).toBe('free')
    expect(getSlotState('11:00', day)).toBe('free')
    expect(getSlotState('15:00', day, 2)).toBe('free')
    expect(findFreeSlots(day)).toEqual(expect.not.arrayContaining(['09:00', '15:00', '15:30']))
    expect(findFreeSlots(day)).toHaveLength(10)
    expect(findFreeSlots(day, ['08:00', '15:30'])).toEqual(['08:00'])
  })

  it('say how full a day is', () => {
    const busy = [
      { localTime: '09:15', duration: 15 },
      { localTime: '15:00', duration: 60 },
    ]
    const [one, two] = [[{ times: busy }], [{ times: busy }, { times: busy.slice(1) }]]
    expect(computeLoad(one)).toBeCloseTo(3 / 13)
    expect(computeLoad(one, 3)).toBeCloseTo(1 / 13)
    expect(computeLoad(two, 2)).toBeCloseTo(5 / 26)
    expect(computeLoad(two, 1, ['15:30'])).toBe(1)
    expect(computeLoad(one, 1, ['08:00', '15:30'])).toBe(0.5)
    expect([computeLoad(one, 1, []), computeLoad([], 1, [])]).toEqual([1, 0])
  })

  it('finds the conflicts of a requested time, and when they end', () => {
    const requested = { providerId: chenId, time: '14:45', duration: 30 }
    expect(findConflicts(requested, day).map(({ localTime }) => localTime)).toEqual(['15:00'])
    expect(getLatestEnd(findConflicts(requested, day))).toBe('16:00')
    expect(findConflicts({ ...requested, providerId: parkId }, day)).toEqual([])
    expect(findConflicts({ ...requested, excluding: id(10) }, day)).toEqual([])
    expect(findConflicts({ ...requested, duration: 15 }, day)).toEqual([])
    expect(findConflicts({ ...requested, time: '11:00' }, day)).toEqual([])
  })

  it('are adjacent across the midday break and beyond both ends', () => {
    expect(getAdjacentSlot('11:30', 1)).toBe('14:00')
    expect(getAdjacentSlot('14:00', -1)).toBe('11:30')
    expect(getAdjacentSlot('10:10', 1)).toBe('10:30')
    expect(getAdjacentSlot('17:00', 1)).toBe('17:30')
    expect(getAdjacentSlot('09:00', -1)).toBe('08:30')
    expect(getAdjacentSlot('00:00', -1)).toBe('00:00')
    expect(getAdjacentSlot('23:30', 1)).toBe('23:30')
    expect(getAdjacentSlot('08:15', 1, ['08:15', '09:45'])).toBe('09:45')
  })
})
