import { describe, it } from 'vitest'
import { PracticeId, WaitlistEntryId } from '#contracts/values/ids.ts'
import { waitlistDecider } from '#modules/appointments/waitlist/decider.ts'
import type { WaitlistEvent } from '#modules/appointments/waitlist/events.ts'
import { deciderSpec } from '#tests/support/given.ts'
import { patientId, practiceId, uuid } from '../appointments.ts'

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
const takenOff = (reason: 'asked' | 'booked'): WaitlistEvent => ({
  type: 'PatientTakenOffWaitlist',
  data: { waitlistEntryId, patientId, reason },
})
const takeOff = (reason: 'asked' | 'booked', of = practiceId) => ({ type: 'TakeOff', practiceId: of, reason }) as const

describe('a wait for an earlier slot', () => {
  it('begins once', () => {
    given().when({ type: 'Add', entry: added.data }).then(added)
    given(added).when({ type: 'Add', entry: added.data }).thenNothing()
  })

  it('ends once, by whatever comes first', () => {
    given(added).when(takeOff('booked')).then(takenOff('booked'))
    given(added, takenOff('booked')).when(takeOff('asked')).thenNothing()
  })

  it('is nothing to another practice', () => {
    given(added)
      .when(takeOff('asked', PracticeId.parse(uuid(1, 2))))
      .thenRefused('not-found')
    given().when(takeOff('asked')).thenRefused('not-found')
  })
})
