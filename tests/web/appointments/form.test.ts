import { describe, expect, it } from 'vitest'
import { type Appointment, AppointmentChange, NewAppointment } from '#contracts/appointments.ts'
import { ApiProblem } from '#web/api/call.ts'
import { findFieldConflicts, rebaseValues } from '#web/features/appointments/booking/conflict.ts'
import { parseDraft } from '#web/features/appointments/booking/new-patient-form.tsx'
import {
  findConflicts,
  findFreeSlots,
  computeLoad,
  getAdjacentSlot,
  getSlotState,
  getLatestEnd,
} from '#web/features/appointments/slots.ts'
import {
  parseAppointmentsSearch,
  updateSearch,
  countFilters,
  matchesFilters,
} from '#web/features/appointments/calendar/appointments-search.ts'
import { moveByDrag, moveByKey } from '#web/features/appointments/day/use-appointment-drag.ts'
import { computeDayLayout } from '#web/features/appointments/day/day-layout.ts'
import { findNearestSlots } from '#web/features/appointments/booking/use-slot-availability.ts'
import {
  createBlankValues,
  findChangedFields,
  toNewAppointment,
  parseSlotTaken,
  toAppointmentChange,
  appointmentResolver,
  toAppointmentValues,
} from '#web/features/appointments/booking/appointment-form.ts'
import { getMinutesSince, sortWaiting } from '#web/features/appointments/waiting-room/waiting-order.ts'

const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
const chen = id(1)
const park = id(2)

const appointment = (over: Partial<Record<keyof Appointment, unknown>> = {}): Appointment =>
  ({
    id: id(10),
    providerId: chen,
    patientId: id(20),
    patient: { firstName: 'Grace', lastName: 'Liu' },
    localDate: '2026-11-20',
    localTime: '16:00',
    duration: 30,
    type: 'consultation',
    status: 'scheduled',
    statusSince: '2026-11-20T15:00:00.000Z',
    reason: null,
    notes: null,
    revision: 1,
    ...over,
  }) as unknown as Appointment

describe('the address', () => {
  it('is read as anybody may have typed it', () => {
    expect(parseAppointmentsSearch({ date: '2026-02-30', view: 'year', provider: 'x', type: 5, status: {} })).toEqual(
      {},
    )
    expect(parseAppointmentsSearch({ date: '2026-11-20', view: 'week', provider: chen, type: 'emergency' })).toEqual({
      date: '2026-11-20',
      view: 'week',
      provider: chen,
      type: 'emergency',
    })
    expect(parseAppointmentsSearch({ view: 'day', date: '1999-12-31' })).toEqual({})
  })

  it('does not say what goes without saying', () => {
    const search = parseAppointmentsSearch({ date: '2026-11-20', status: 'waiting', view: 'list' })
    expect(updateSearch(search, { date: '2026-11-21' }, '2026-11-21')).toEqual({ status: 'waiting', view: 'list' })
    expect(updateSearch(search, { status: undefined, view: 'day' }, '2026-11-21')).toEqual({ date: '2026-11-20' })
    expect(countFilters(search)).toBe(1)
  })

  it('narrows down to provider, type and status together', () => {
    const wanted = matchesFilters(parseAppointmentsSearch({ provider: chen, type: 'emergency' }))
    expect(wanted(appointment({ type: 'emergency' }))).toBe(true)
    expect(wanted(appointment({ type: 'emergency', providerId: park }))).toBe(false)
    expect(wanted(appointment())).toBe(false)
  })
})

describe('the slots of a day', () => {
  const day = [
    appointment({ localTime: '15:00', duration: 60 }),
    appointment({ id: id(11), localTime: '09:15', duration: 15 }),
    appointment({ id: id(12), localTime: '11:00', status: 'cancelled' }),
  ]

  it('are booked, still busy or free', () => {
    expect(getSlotState('15:00', day)).toBe('booked')
    expect(getSlotState('15:30', day)).toBe('busy')
    expect(getSlotState('16:00', day)).toBe('free')
    expect(getSlotState('11:00', day)).toBe('free')
    expect(getSlotState('15:00', day, 2)).toBe('free')
    expect(findFreeSlots(day)).toEqual(expect.not.arrayContaining(['09:00', '15:00', '15:30']))
    expect(findFreeSlots(day)).toHaveLength(10)
    expect(computeLoad(day)).toBeCloseTo(3 / 13)
    expect(computeLoad(day, 3)).toBeCloseTo(1 / 13)
  })

  it('know who is in the way, and until when', () => {
    const wish = { providerId: chen, time: '14:45', duration: 30 }
    expect(findConflicts(wish, day).map(({ localTime }) => localTime)).toEqual(['15:00'])
    expect(getLatestEnd(findConflicts(wish, day))).toBe('16:00')
    expect(findConflicts({ ...wish, providerId: park }, day)).toEqual([])
    expect(findConflicts({ ...wish, excluding: id(10) }, day)).toEqual([])
    expect(findConflicts({ ...wish, duration: 15 }, day)).toEqual([])
    expect(findConflicts({ ...wish, time: '11:00' }, day)).toEqual([])
  })

  it('lie beside each other over the midday break and beyond both ends', () => {
    expect(getAdjacentSlot('11:30', 1)).toBe('14:00')
    expect(getAdjacentSlot('14:00', -1)).toBe('11:30')
    expect(getAdjacentSlot('10:10', 1)).toBe('10:30')
    expect(getAdjacentSlot('17:00', 1)).toBe('17:30')
    expect(getAdjacentSlot('09:00', -1)).toBe('08:30')
    expect(getAdjacentSlot('00:00', -1)).toBe('00:00')
    expect(getAdjacentSlot('23:30', 1)).toBe('23:30')
  })

  it('offer the three nearest, in order of time', () => {
    const free = ['2026-11-20T09:00', '2026-11-20T15:30', '2026-11-20T16:30', '2026-11-23T09:00'].map((start) => ({
      start,
      localDate: start.slice(0, 10),
      localTime: start.slice(11),
    }))
    const near = findNearestSlots({ date: '2026-11-20', time: '16:00' }, free as never)
    expect(near.map(({ start }) => start)).toEqual(['2026-11-20T09:00', '2026-11-20T15:30', '2026-11-20T16:30'])
  })
})

describe('moving an appointment', () => {
  const span = { start: 600, duration: 30 }

  it('goes by slot with arrows, by a quarter of an hour of length with Shift', () => {
    expect(moveByKey(span, { key: 'ArrowDown', shiftKey: false })).toEqual({ start: 630, duration: 30 })
    expect(moveByKey(span, { key: 'ArrowUp', shiftKey: false })).toEqual({ start: 570, duration: 30 })
    expect(moveByKey(span, { key: 'ArrowDown', shiftKey: true })).toEqual({ start: 600, duration: 45 })
    expect(moveByKey({ start: 600, duration: 15 }, { key: 'ArrowUp', shiftKey: true })).toEqual({
      start: 600,
      duration: 15,
    })
    expect(moveByKey(span, { key: 'x', shiftKey: false })).toBeNull()
  })

  it('goes as far as it is dragged', () => {
    const shape = computeDayLayout([])
    expect(moveByDrag(shape, { span, how: 'move' }, 54)).toEqual({ start: 630, duration: 30 })
    expect(moveByDrag(shape, { span, how: 'move' }, 10)).toEqual(span)
    expect(moveByDrag(shape, { span, how: 'lengthen' }, 54)).toEqual({ start: 600, duration: 60 })
    expect(moveByDrag(shape, { span, how: 'lengthen' }, -500)).toEqual({ start: 600, duration: 15 })
  })
})

describe('the form of an appointment', () => {
  const values = createBlankValues({
    patientId: id(20),
    providerId: chen,
    date: '2026-11-20',
    time: '16:00',
    type: 'follow-up',
  })

  it('begins scheduled, without a type, with thirty minutes', () => {
    expect(createBlankValues()).toMatchObject({ status: 'scheduled', type: '', duration: '30' })
  })

  it('sends what the contract takes, with the time of the practice', () => {
    expect(NewAppointment.parse(toNewAppointment(values))).toMatchObject({
      appointmentDate: '2026-11-20T16:00',
      duration: 30,
      reason: null,
      allowOverlap: false,
    })
  })

  it('sends only what changed', () => {
    const before = toAppointmentValues(appointment())
    const after = { ...before, time: '16:30', reason: ' ', status: 'confirmed' }
    expect(findChangedFields(before, after)).toEqual(['appointmentDate', 'status'])
    expect(toAppointmentChange(before, after)).toEqual({ appointmentDate: '2026-11-20T16:30', status: 'confirmed' })
    expect(AppointmentChange.safeParse(toAppointmentChange(before, after)).success).toBe(true)
  })

  it('says what is missing beside its field', async () => {
    const sending = { schema: NewAppointment, toBody: toNewAppointment }
    const { errors } = await appointmentResolver(createBlankValues(), sending, {} as never)
    expect(errors).toMatchObject({
      patientId: { message: 'Please choose a patient' },
      date: { message: 'Please enter a date' },
      time: { message: 'Please enter a time' },
      type: { message: 'Please choose a type' },
    })
    expect((await appointmentResolver(values, sending, {} as never)).errors).toEqual({})
  })

  it('knows a slot that was taken from other refusals', () => {
    const problem = { type: '', title: '', status: 409, message: '', errors: [] }
    const conflict = {
      appointmentId: id(10),
      providerId: chen,
      providerName: 'Dr. Chen',
      patientName: null,
      from: '2026-11-20T21:00:00Z',
      until: '2026-11-20T21:30:00Z',
    }
    expect(
      parseSlotTaken(new ApiProblem({ ...problem, code: 'slot-taken', conflict, freeSlots: [] }))?.conflict,
    ).toEqual(conflict)
    expect(parseSlotTaken(new ApiProblem({ ...problem, code: 'changed-meanwhile' }))).toBeNull()
    expect(parseSlotTaken(new Error('x'))).toBeNull()
  })

  it('keeps what was typed when others changed the appointment, and asks where both did', () => {
    const base = appointment()
    const latest = appointment({ revision: 3, localTime: '15:00', reason: 'Theirs', status: 'confirmed' })
    const typed = { ...toAppointmentValues(base), reason: 'Mine', duration: '45' }
    expect(rebaseValues({ base, latest, typed })).toMatchObject({
      time: '15:00',
      reason: 'Mine',
      duration: '45',
      status: 'confirmed',
    })
    const changes = (['appointmentDate', 'reason'] as const).map((field) => ({ field, value: null, by: 'Bo', at: '' }))
    expect(findFieldConflicts(changes, { base, latest, typed }, { allProviders: [] })).toMatchObject([
      { field: 'appointmentDate', before: 'Nov 20, 2026, 4:00 PM', theirs: 'Nov 20, 2026, 3:00 PM', contested: false },
      { field: 'reason', before: '', theirs: 'Theirs', contested: true },
    ])
  })

  it('begins a new patient with what was typed in the search', () => {
    expect(parseDraft('Mary Ann Evans')).toMatchObject({ firstName: 'Mary Ann', lastName: 'Evans', phone: '' })
    expect(parseDraft('Mary')).toMatchObject({ firstName: 'Mary', lastName: '' })
    expect(parseDraft('617 555 0142')).toMatchObject({ firstName: '', phone: '617 555 0142' })
  })
})

describe('the waiting room', () => {
  it('has emergencies first, then who waits longest', () => {
    const room = [
      appointment({ id: id(1), status: 'waiting', statusSince: '2026-11-20T15:10:00Z' }),
      appointment({ id: id(2), status: 'waiting', statusSince: '2026-11-20T15:00:00Z' }),
      appointment({ id: id(3), status: 'waiting', type: 'emergency', statusSince: '2026-11-20T15:20:00Z' }),
      appointment({ id: id(4) }),
    ]
    expect(sortWaiting(room).map((each) => each.id)).toEqual([id(3), id(2), id(1)])
    expect(getMinutesSince('2026-11-20T15:00:00Z', new Date('2026-11-20T15:11:59Z'))).toBe(11)
    expect(getMinutesSince('2026-11-20T15:00:00Z', new Date('2026-11-20T14:59:00Z'))).toBe(0)
  })
})
