import { expect, it } from 'vitest'
import type { DomainEvent } from '#eventstore/event.ts'
import { recordPatientsProjection, recordProjection } from '#modules/records/projection.ts'
import { type AnyProjection, applyEvent, type Rows } from '#projections/projection.ts'
import { patientId, practiceId, registered, removed } from '#tests/modules/patients/patient-fixtures.ts'
import { recordedEvent } from '#tests/support/events.ts'
import { fields, referralEvents, referralId, subject } from './fixtures.ts'

const referrals = recordProjection(referralEvents, { name: 'referrals', version: 1, clear: ['neededBy'] })

const at = (minute: number) => `2026-11-26T10:0${minute}:00.000Z`

function fold(projection: AnyProjection, key: string, ...events: DomainEvent[]) {
  const rows: Rows = new Map()
  for (const [index, event] of events.entries()) {
    const metadata = { practiceId, at: at(index) }
    applyEvent(projection, rows, recordedEvent(event, { revision: index, metadata }))
  }
  return rows.get(key)
}

const created = { type: 'ReferralCreated', data: { ...subject, ...fields } }

it('has a column for every field, sealed if it is PHI that is not searched', () => {
  expect(referrals.columns).toMatchObject({
    specialty_type: 'text',
    urgency: 'text',
    form_id: 'uuid',
    needed_by: 'date',
    specialist: 'text',
  })
  expect(referrals.sealed).toEqual({ subject: 'patient_id', columns: ['specialty_type', 'specialist'] })
})

it('follows a record through its events', () => {
  const row = {
    id: referralId,
    practice_id: practiceId,
    patient_id: patientId,
    status: 'pending',
    specialty_type: 'Cardiology',
    urgency: 'routine',
    form_id: null,
    needed_by: '2026-12-01',
    specialist: null,
    sample: false,
    revision: 0,
    created_at: at(0),
    updated_at: at(0),
  }
  expect(fold(referrals, referralId, created)).toEqual(row)
  const changed = {
    type: 'ReferralChanged',
    data: { ...subject, from: { urgency: 'routine' }, to: { urgency: 'urgent' } },
  }
  const sent = { type: 'ReferralSent', data: { ...subject, specialist: 'Dr. Lee' } }
  expect(fold(referrals, referralId, created, changed, sent)).toEqual({
    ...row,
    urgency: 'urgent',
    specialist: 'Dr. Lee',
    status: 'sent',
    revision: 2,
    updated_at: at(2),
  })
})

it('keeps the names of patients, and marks those that were removed', () => {
  const hopper = { id: patientId, first_name: 'Grace', last_name: 'Hopper', removed: false }
  expect(fold(recordPatientsProjection, patientId, registered())).toEqual(hopper)
  expect(fold(recordPatientsProjection, patientId, registered(), removed())).toEqual({ ...hopper, removed: true })
})
