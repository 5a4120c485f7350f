import { describe, expect, it } from 'vitest'
import type { Appointment } from '#contracts/appointments.ts'
import { computeDayLayout } from '#web/features/appointments/day/day-layout.ts'
import {
  getAdjacentProvider,
  moveByDrag,
  moveByKey,
  toPlacementChange,
} from '#web/features/appointments/day/placement.ts'

describe('moving an appointment', () => {
  const span = { start: 600, duration: 30 }

  it('moves by slot with the arrows, and changes the duration by a quarter of an hour with Shift', () => {
    expect(moveByKey(span, { key: 'ArrowDown', shiftKey: false })).toEqual({ start: 630, duration: 30 })
    expect(moveByKey(span, { key: 'ArrowUp', shiftKey: false })).toEqual({ start: 570, duration: 30 })
    expect(moveByKey(span, { key: 'ArrowDown', shiftKey: true })).toEqual({ start: 600, duration: 45 })
    expect(moveByKey({ start: 600, duration: 15 }, { key: 'ArrowUp', shiftKey: true })).toEqual({
      start: 600,
      duration: 15,
    })
    expect(moveByKey(span, { key: 'x', shiftKey: false })).toBeNull()
  })

  it('moves as far as it is dragged', () => {
    const layout = computeDayLayout([])
    expect(moveByDrag(layout, { span, kind: 'move' }, 54)).toEqual({ start: 630, duration: 30 })
    expect(moveByDrag(layout, { span, kind: 'move' }, 10)).toEqual(span)
    expect(moveByDrag(layout, { span, kind: 'resize' }, 54)).toEqual({ start: 600, duration: 60 })
    expect(moveByDrag(layout, { span, kind: 'resize' }, -500)).toEqual({ start: 600, duration: 15 })
  })
})

describe('moving an appointment to another provider', () => {
  it('moves to the next column, and not beyond the last', () => {
    expect(getAdjacentProvider(['a', 'b'], 'a', 1)).toBe('b')
    expect(getAdjacentProvider(['a', 'b'], 'b', 1)).toBe('b')
    expect(getAdjacentProvider(['a', 'b'], 'former', -1)).toBe('former')
  })

  it('sends only what differs', () => {
    const appointment = {
      localDate: '2027-03-02',
      localTime: '09:00',
      duration: 30,
      providerId: 'a',
    } as unknown as Appointment
    expect(toPlacementChange(appointment, { start: 540, duration: 30, providerId: 'a' })).toEqual({})
    expect(toPlacementChange(appointment, { start: 540, duration: 30, providerId: 'b' })).toEqual({ providerId: 'b' })
    expect(toPlacementChange(appointment, { start: 570, duration: 45, providerId: 'a' })).toEqual({
      appointmentDate: '2027-03-02T09:30',
      duration: 45,
    })
  })
})
