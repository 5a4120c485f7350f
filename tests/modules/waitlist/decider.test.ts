import { describe, it } from 'vitest'
import { PracticeId, WaitlistEntryId } from '#contracts/values/ids.ts'
import { waitlistDecider } from '#modules/waitlist/decider.ts'
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

  it('is removed once, for the first reason', () => {
    given(added).when(takeOff('booked')).then(takenOff('booked'))
    given(added, takenOff('booked')).when(takeOff('requested')).thenNothing()
  })

  it('is not found by another practice', () => {
    given(added)
      .when(takeOff('requested', PracticeId.parse(uuid(1, 2))))
      .thenRefused('not-found')
    given().when(takeOff('requested')).thenRefused('not-found')
  })
})
