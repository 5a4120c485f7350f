import { expect, it } from 'vitest'
import { PatientId, PracticeId, UserId } from '#contracts/values/ids.ts'
import type { Actor } from '#eventstore/event.ts'
import { sampleRecords } from '#modules/samples/projection.ts'
import { applyEvent, type Rows } from '#projections/projection.ts'
import { recordedEvent } from '#tests/support/events.ts'

const practiceId = PracticeId.parse('018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0002')
const patientId = PatientId.parse('018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0001')
const seeding: Actor = { kind: 'process', name: 'sample-practice' }
const user: Actor = {
  kind: 'user',
  userId: UserId.parse('018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0003'),
  role: 'nurse',
}

type Event = [type: string, data?: object, sample?: boolean, actor?: Actor]

/** Folds events about one patient. */
function fold(...events: Event[]): Rows {
  const rows: Rows = new Map()
  for (const [type, data, sample = false, actor = seeding] of events) {
    const event = recordedEvent({ type, data: { patientId, ...data } }, { metadata: { practiceId, sample, actor } })
    applyEvent(sampleRecords, rows, event)
  }
  return rows
}

const registered: Event = ['PatientRegistered', {}, true]
const booked = (appointmentId: string, sample: boolean): Event => ['AppointmentBooked', { appointmentId }, sample]
const patient = (rows: Rows) => rows.get(patientId)

it('lists sample records only', () => {
  expect([...fold(registered, booked('a', true), booked('b', false)).keys()]).toEqual([patientId, 'a'])
  expect(patient(fold(['PatientRegistered'], booked('b', false)))).toBeNull()
})

it('counts the own appointments and waitlist entries of a sample patient', () => {
  const entry = { waitlistEntryId: 'w', appointmentId: 'b' }
  expect(patient(fold(registered, booked('a', true)))).toMatchObject({ own_references: 0 })
  const waiting: Event[] = [registered, booked('b', false), ['PatientAddedToWaitlist', entry]]
  expect(patient(fold(...waiting))).toMatchObject({ own_references: 2, edited: false })
  expect(patient(fold(...waiting, ['PatientRemovedFromWaitlist', entry]))).toMatchObject({ own_references: 1 })
})

it('counts the own forms of a sample patient, not those of the sample', () => {
  expect(patient(fold(registered, ['FormAssigned', {}, true]))).toMatchObject({ own_references: 0 })
  expect(patient(fold(registered, ['FormAssigned']))).toMatchObject({ own_references: 1 })
})

it.each([
  'InsuranceVerificationRequested',
  'PriorAuthorizationDrafted',
  'CallLogged',
  'ClinicalDocumentDrafted',
  'ReferralCreated',
  'PatientCommunicationNoted',
] as const)('counts the records of a sample patient: %s', (type) => {
  expect(patient(fold(registered, [type]))).toMatchObject({ own_references: 1 })
})

it('counts a kept sample appointment as an own one', () => {
  const rows = fold(registered, booked('a', true), ['SampleAppointmentKept', { appointmentId: 'a' }])
  expect(rows.get('a')).toBeNull()
  expect(patient(rows)).toMatchObject({ own_references: 1 })
})

it('marks a record as edited by users only', () => {
  expect(patient(fold(registered, ['PatientNotesChanged']))).toMatchObject({ edited: false })
  expect(patient(fold(registered, ['PatientNotesChanged', {}, false, user]))).toMatchObject({ edited: true })
})

it('keeps the row of a kept patient until the patient is removed', () => {
  const kept: Event[] = [registered, ['SamplePatientKept']]
  expect(patient(fold(...kept))).toMatchObject({ sample: false })
  expect(patient(fold(...kept, ['PatientRemoved']))).toBeNull()
})
