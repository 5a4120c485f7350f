import { describe, expect, it } from 'vitest'
import { insightAppointments, insightFormerPatients } from '#modules/insights/projection.ts'
import { type AnyProjection, applyEvent, type Rows } from '#projections/projection.ts'
import { recordedEvent } from '#tests/support/events.ts'

const patientId = '018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0001'

type Event = [type: string, data: object]

function foldRow(projection: AnyProjection, key: string, ...events: Event[]) {
  const rows: Rows = new Map()
  for (const [type, data] of events) applyEvent(projection, rows, recordedEvent({ type, data: { patientId, ...data } }))
  return rows.get(key) ?? null
}

describe('former patients', () => {
  const fold = (...events: Event[]) => foldRow(insightFormerPatients, patientId, ...events)
  const alive: Event = ['PatientRegistered', { deceasedOn: null }]
  const died: Event = ['PatientDeathRecorded', { deceasedOn: '2026-11-02' }]

  it('do not include living patients', () => {
    expect(fold(alive)).toBeNull()
    expect(fold(alive, died, ['PatientDeathCorrected', { from: '2026-11-02', to: null }])).toBeNull()
  })

  it('include deceased and removed patients', () => {
    expect(fold(['PatientRegistered', { deceasedOn: '2026-11-02' }])).toMatchObject({ reason: 'deceased' })
    expect(fold(alive, died)).toMatchObject({ reason: 'deceased' })
    expect(fold(alive, died, ['PatientDeathCorrected', { from: '2026-11-02', to: '2026-11-01' }])).toMatchObject({
      reason: 'deceased',
    })
    expect(fold(alive, ['PatientRemoved', { reason: 'deleted' }])).toMatchObject({ reason: 'removed' })
  })
})

describe('an appointment', () => {
  const appointmentId = '018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0004'
  const fold = (...events: Event[]) =>
    foldRow(
      insightAppointments,
      appointmentId,
      ['AppointmentBooked', { appointmentId, slot: { startsAt: '2026-11-20T09:00:00.000Z' }, status: 'scheduled' }],
      ...events.map(([type, data]): Event => [type, { appointmentId, ...data }]),
    )

  it('has its last time and status', () => {
    expect(fold()).toMatchObject({ status: 'scheduled', on_day_list: true, starts_at: '2026-11-20T09:00:00.000Z' })
    expect(fold(['AppointmentRescheduled', { to: { startsAt: '2026-11-21T09:00:00.000Z' } }])).toMatchObject({
      starts_at: '2026-11-21T09:00:00.000Z',
    })
    expect(fold(['AppointmentStatusChanged', { to: 'confirmed' }])).toMatchObject({ status: 'confirmed' })
    expect(fold(['AppointmentCompleted', {}])).toMatchObject({ status: 'completed' })
    expect(fold(['AppointmentCancelled', { isOnDayList: true }])).toMatchObject({
      status: 'cancelled',
      on_day_list: true,
    })
    expect(fold(['AppointmentCancelled', { isOnDayList: true }], ['AppointmentRemovedFromDayList', {}])).toMatchObject({
      on_day_list: false,
    })
    expect(fold(['AppointmentRemoved', {}])).toBeNull()
  })
})
