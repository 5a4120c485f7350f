import { describe, it } from 'vitest'
import { AppointmentId, PracticeId, WaitlistEntryId } from '#contracts/values/ids.ts'
import { type Wishes, waitlistDecider } from '#modules/waitlist/decider.ts'
import type { WaitlistEvent } from '#modules/waitlist/events.ts'
import { deciderSpec } from '#tests/support/decider-spec.ts'
import { patientId, practiceId, uuid } from '#tests/modules/appointments/fixtures.ts'

const given = deciderSpec(waitlistDecider)
const waitlistEntryId = WaitlistEntryId.parse(uuid(7, 1))
const added: Extract<WaitlistEvent, { type: 'PatientAddedToWaitlist' }> = {
  type: 'PatientAddedToWaitlist',
  data: {
    waitlistEntryId,
    practiceId,
    patientId,
    providerId: null,
    type: 'check-up',
    duration: 30,
    earliest: null,
    latest: '2026-12-24',
    appointmentId: null,
    notes: null,
  },
}
const appointmentId = AppointmentId.parse(uuid(4, 1))
const booked = { appointmentId, startsAt: '2026-11-25T15:00:00.000Z' }
const waitingSince = '2026-11-01T08:00:00.000Z'
const removedFor: WaitlistEvent = {
  type: 'PatientRemovedFromWaitlist',
  data: { waitlistEntryId, patientId, reason: 'booked', booked },
}
const returned = (over: object = {}): WaitlistEvent => ({
  type: 'PatientReturnedToWaitlist',
  data: { ...added.data, waitingSince, ...over },
})
const comeBack = { type: 'Return', practiceId, waitingSince } as const
const takenOff = (reason: 'requested' | 'booked'): WaitlistEvent => ({
  type: 'PatientRemovedFromWaitlist',
  data: { waitlistEntryId, patientId, reason },
})
const takeOff = (reason: 'requested' | 'booked', of = practiceId) =>
  ({ type: 'Remove', practiceId: of, reason }) as const

describe('a waitlist entry', () => {
  it('is added once', () => {
    given().when({ type: 'Add', entry: added.data }).then(added)
    given(added).when({ type: 'Add', entry: added.data }).thenNothing()
  })

  it('records only what a change makes different', () => {
    const change = (wishes: Partial<Wishes>) => ({ type: 'Change', practiceId, change: wishes }) as const
    const changed = (from: Partial<Wishes>, to: Partial<Wishes>): WaitlistEvent => ({
      type: 'WaitlistEntryChanged',
      data: { waitlistEntryId, patientId, from, to },
    })
    given(added)
      .when(change({ type: 'follow-up', duration: 30, notes: 'Mornings' }))
      .then(changed({ type: 'check-up', notes: null }, { type: 'follow-up', notes: 'Mornings' }))
    given(added)
      .when(change({ type: 'check-up', latest: '2026-12-24' }))
      .thenNothing()
    given(added, changed({ latest: '2026-12-24' }, { latest: null }))
      .when(change({ latest: null, earliest: '2026-12-28' }))
      .then(changed({ earliest: null }, { earliest: '2026-12-28' }))
    given(added)
      .when(change({ earliest: '2026-12-25' }))
      .thenRefused('days-reversed', 'latest')
    given(added)
      .when(change({ earliest: '2026-12-24' }))
      .then(changed({ earliest: null }, { earliest: '2026-12-24' }))
    given(added, takenOff('requested'))
      .when(change({ notes: 'Late' }))
      .thenRefused('not-found')
    given()
      .when(change({ notes: 'Late' }))
      .thenRefused('not-found')
  })

  it('returns with what was changed', () => {
    const changed: WaitlistEvent = {
      type: 'WaitlistEntryChanged',
      data: { waitlistEntryId, patientId, from: { notes: null }, to: { notes: 'Mornings' } },
    }
    given(added, changed, removedFor)
      .when(comeBack)
      .then(returned({ notes: 'Mornings' }))
  })

  it('is removed once, for the first reason', () => {
    given(added).when(takeOff('booked')).then(takenOff('booked'))
    given(added, takenOff('booked')).when(takeOff('requested')).thenNothing()
  })

  it('returns to its place once the appointment that was booked for it is cancelled, as often as that happens', () => {
    given(added)
      .when({ ...takeOff('booked'), booked })
      .then(removedFor)
    given(added, removedFor).when(comeBack).then(returned())
    given(added, removedFor, returned()).when(comeBack).thenNothing()
    given(added, removedFor, returned(), removedFor).when(comeBack).then(returned())
    given(added).when(comeBack).thenNothing()
  })

  it('does not return to an appointment that was moved for it and cancelled', () => {
    const moved: WaitlistEvent = { ...added, data: { ...added.data, appointmentId } }
    given(moved, removedFor)
      .when(comeBack)
      .then(returned({ appointmentId: null }))
  })

  it('does not return when it was removed for another reason', () => {
    given(added, takenOff('requested')).when(comeBack).thenRefused('not-found')
    given(added, takenOff('booked')).when(comeBack).thenRefused('not-found')
    given().when(comeBack).thenRefused('not-found')
  })

  it('is not found by another practice', () => {
    given(added)
      .when(takeOff('requested', PracticeId.parse(uuid(1, 2))))
      .thenRefused('not-found')
    given().when(takeOff('requested')).thenRefused('not-found')
  })
})
