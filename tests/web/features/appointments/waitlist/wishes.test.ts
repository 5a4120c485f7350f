import { describe, expect, it } from 'vitest'
import type { Provider } from '#contracts/providers.ts'
import { describeDays, describeWishes } from '#web/features/appointments/waitlist/describe-entry.ts'
import {
  blankWishes,
  mayBecomeEarlier,
  type OwnAppointment,
  toEarlierWishes,
  toWishChange,
  toWishes,
  toWishValues,
} from '#web/features/appointments/waitlist/wishes.ts'
import { bookEntry } from '#web/features/appointments/booking/book-again.ts'
import { uuid } from '#tests/modules/appointments/fixtures.ts'
import { chenId, createAppointment, parkId } from '../fixture.ts'
import { createEntry } from './fixture.ts'

const minutes = (duration: number) => ({ duration })
const durations = {
  'check-up': minutes(20),
  consultation: minutes(30),
  emergency: minutes(30),
  'follow-up': minutes(15),
  procedure: minutes(60),
}
const own: OwnAppointment[] = [
  { id: uuid(5, 1), type: 'procedure', duration: 90, localDate: '2031-03-10', localTime: '09:00' } as never,
]

describe('the inputs of a waitlist entry', () => {
  it('ask for what was entered, as long as the practice plans for the type', () => {
    const values = { ...blankWishes, type: 'follow-up', latest: '2031-03-07', notes: ' Mornings ' }
    const wishes = { type: 'follow-up', providerId: null, appointmentId: null, earliest: null, latest: '2031-03-07' }
    expect(toWishes(values, own, durations)).toEqual({ ...wishes, duration: 15, notes: 'Mornings' })
    expect(toWishes(values, own, undefined)).toEqual({ ...wishes, notes: 'Mornings' })
  })

  it('ask for as long as the appointment that is to be earlier', () => {
    const values = { ...blankWishes, type: 'procedure', appointmentId: uuid(5, 1) }
    expect(toWishes(values, own, durations)).toMatchObject({ duration: 90, appointmentId: uuid(5, 1) })
  })

  it('start with the type and the provider of such an appointment', () => {
    const appointment = createAppointment({ type: 'procedure' })
    const expected = { type: 'procedure', providerId: chenId, appointmentId: appointment.id }
    expect(toEarlierWishes(appointment)).toEqual({ ...blankWishes, ...expected })
  })

  it('change only what differs, and the duration with the type or the appointment', () => {
    const entry = createEntry(1, { duration: 45, notes: 'Mornings', providerId: parkId })
    const values = toWishValues(entry)
    expect(toWishChange(entry, values, own, durations)).toEqual({})
    expect(toWishChange(entry, { ...values, notes: '', providerId: '' }, own, durations)).toEqual({
      notes: null,
      providerId: null,
    })
    expect(toWishChange(entry, { ...values, type: 'follow-up' }, own, durations)).toEqual({
      type: 'follow-up',
      duration: 15,
    })
    expect(toWishChange(entry, { ...values, type: 'follow-up' }, own, undefined)).toEqual({ type: 'follow-up' })
    const moved = { ...values, appointmentId: uuid(5, 1) }
    expect(toWishChange(entry, moved, own, durations)).toEqual({ appointmentId: uuid(5, 1), duration: 90 })
  })
})

it.each([
  [{}, true],
  [{ status: 'confirmed' }, true],
  [{ status: 'waiting' }, false],
  [{ status: 'cancelled' }, false],
  [{ appointmentDate: '2026-11-20T15:00:00.000Z' }, false],
  [{ patientDeceased: true }, false],
])('an appointment with %j can be wanted earlier: %s', (over, expected) => {
  const appointment = createAppointment({
    appointmentDate: '2026-11-20T21:00:00.000Z',
    patientDeceased: false,
    ...over,
  })
  expect(mayBecomeEarlier(appointment, new Date('2026-11-20T15:00:00.000Z'))).toBe(expected)
})

describe('a waitlist entry', () => {
  const [chen, park] = [
    { id: chenId, name: 'Dr. Chen', active: true },
    { id: parkId, name: 'Dr. Park', active: true },
  ] as Provider[]
  const context = { timeZone: 'America/New_York', allProviders: [chen, park] as Provider[] }

  it.each([
    [null, null, null],
    ['2031-03-03', null, 'from Mar 3, 2031'],
    [null, '2031-03-07', 'until Mar 7, 2031'],
    ['2031-03-03', '2031-03-07', 'Mar 3, 2031 to Mar 7, 2031'],
    ['2031-03-03', '2031-03-03', 'Mar 3, 2031'],
  ])('that suits from %s until %s says %j', (earliest, latest, expected) => {
    expect(describeDays({ earliest, latest })).toBe(expected)
  })

  it('names the provider where there are several, and the local day of the own appointment', () => {
    const entry = createEntry(1, { providerId: parkId, appointmentDate: '2031-03-11T02:00:00.000Z' })
    expect(describeWishes(createEntry(1), context)).toBe('Check-up')
    expect(describeWishes(entry, context)).toBe('Check-up, Dr. Park, earlier than Mar 10, 2031')
    expect(describeWishes(entry, { ...context, allProviders: [park as Provider] })).toBe(
      'Check-up, earlier than Mar 10, 2031',
    )
  })

  it('says when the provider whom the patient wants takes no more patients', () => {
    const left = { ...park, active: false } as Provider
    const entry = createEntry(1, { providerId: parkId })
    expect(describeWishes(entry, { ...context, allProviders: [chen as Provider, left] })).toBe(
      'Check-up, Dr. Park (not active)',
    )
  })

  it('is booked on the first day that suits, with the provider whom the patient wants', () => {
    const days = { today: '2031-03-01', activeProviders: [chen, park] as Provider[] }
    const entry = createEntry(1, { providerId: parkId, duration: 45, earliest: '2031-03-03' })
    expect(bookEntry(entry, days)).toMatchObject({
      date: '2031-03-03',
      providerId: parkId,
      prefill: { patient: { id: entry.patientId }, type: 'check-up', duration: '45' },
    })
    expect(bookEntry(createEntry(1, { earliest: '2031-02-01' }), days)).toMatchObject({
      date: '2031-03-01',
      providerId: chenId,
    })
  })
})
