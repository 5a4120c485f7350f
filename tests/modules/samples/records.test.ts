import { describe, it } from 'vitest'
import { PracticeId } from '#contracts/values/ids.ts'
import { type AppointmentCommand, appointmentDecider } from '#modules/appointments/decider.ts'
import type { AppointmentEvent } from '#modules/appointments/events.ts'
import { emptyPatientFields } from '#contracts/patients.ts'
import { patientDecider } from '#modules/patients/decider.ts'
import type { PatientEvent } from '#modules/patients/events.ts'
import type { MarkedEvent } from '#eventstore/decider.ts'
import { recordedEvent } from '#tests/support/events.ts'
import { deciderSpec } from '#tests/support/decider-spec.ts'
import {
  reservedForBooking,
  patientId,
  slot,
  practiceId,
  uuid,
  appointment,
} from '#tests/modules/appointments/fixtures.ts'

const other = PracticeId.parse(uuid(1, 2))

describe('a patient of the sample practice', () => {
  const given = deciderSpec(patientDecider)
  const name = { firstName: 'Aisha', lastName: 'Rahman' }
  const registered: MarkedEvent<PatientEvent> = {
    type: 'PatientRegistered',
    data: { patientId, practiceId, ...emptyPatientFields, ...name, importId: null, importRow: null } as never,
    metadata: { sample: true },
  }
  const noted: PatientEvent = { type: 'PatientNotesChanged', data: { patientId, notes: 'Called' } }
  const removed: PatientEvent = { type: 'PatientRemoved', data: { patientId, reason: 'sample-removed', ...name } }
  const kept: PatientEvent = { type: 'SamplePatientKept', data: { patientId } }
  const remove = { type: 'RemoveSample', practiceId } as const
  const keep = { type: 'KeepSample', practiceId } as const

  it('can be removed, also after a user has edited it', () => {
    given(registered, noted).when(remove).then(removed)
    given(registered, removed).when(remove).thenNothing()
  })

  it('can be kept', () => {
    given(registered).when(keep).then(kept)
    given(registered, kept)
      .when({ type: 'Remove', practiceId, reason: 'deleted' })
      .then({ ...removed, data: { ...removed.data, reason: 'deleted' } } as PatientEvent)
    given(registered, removed).when(keep).thenRefused('not-found')
    given(registered)
      .when({ ...keep, practiceId: other })
      .thenRefused('not-found')
  })
})

describe('an appointment of the sample practice', () => {
  const given = deciderSpec(appointmentDecider)
  const [nine, ten] = [slot({ reservation: 1 }), slot({ reservation: 2, startsAt: '2026-11-21T10:00' })]
  const appointmentId = appointment(1)
  const { completion: _, ...data } = reservedForBooking(1, nine).data
  const booked = recordedEvent({ type: 'AppointmentBooked', data } satisfies AppointmentEvent, {
    metadata: { sample: true },
  })
  const about = { appointmentId, patientId }
  const removed: AppointmentEvent = {
    type: 'AppointmentRemoved',
    data: { ...about, slot: nine, reason: 'sample-removed' },
  }
  const kept: AppointmentEvent = { type: 'SampleAppointmentKept', data: about }
  const change = { type: 'Change', practiceId, fees: {} as never, now: '2026-11-20T10:00:00.000Z' } as const
  const remove: AppointmentCommand = { type: 'RemoveSample', practiceId }
  const keep: AppointmentCommand = { type: 'KeepSample', practiceId }

  it('can be removed as if it had never existed', () => {
    given(booked).when(remove).then(removed)
    given(booked, removed).when(remove).thenRefused('not-found')
    given(booked, removed)
      .when({ ...change, change: { notes: 'x' } })
      .thenRefused('not-found')
    given(booked)
      .when({ ...remove, practiceId: other })
      .thenRefused('not-found')
  })

  it('does not come back through its reservation or another one', () => {
    given(booked, removed)
      .when({ type: 'ApplyReservation', reservation: reservedForBooking(1, ten) })
      .thenRefused('superseded')
  })

  it('can be kept', () => {
    given(booked).when(keep).then(kept)
    given(booked, kept)
      .when({ ...change, change: { notes: 'x' } })
      .then({ type: 'AppointmentDetailsChanged', data: { ...about, from: { notes: data.notes }, to: { notes: 'x' } } })
  })
})
