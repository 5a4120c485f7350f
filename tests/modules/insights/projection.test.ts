import { describe, expect, it } from 'vitest'
import { insightAppointments } from '#modules/insights/appointments/projection.ts'
import { insightDecisions } from '#modules/insights/decisions/projection.ts'
import { insightDocuments } from '#modules/insights/documents/projection.ts'
import { insightForms } from '#modules/insights/forms/projection.ts'
import { insightPatients } from '#modules/insights/patients/projection.ts'
import { insightPractices } from '#modules/insights/practices/projection.ts'
import { type AnyProjection, applyEvent, type Rows } from '#projections/projection.ts'
import { recordedEvent } from '#tests/support/events.ts'

const patientId = '018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0001'

const practiceId = '018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0002'

type Event = [type: string, data: object, metadata?: { sample: boolean }]

function foldRow(projection: AnyProjection, key: string, ...events: Event[]) {
  const rows: Rows = new Map()
  for (const [type, data, metadata = { sample: false }] of events)
    applyEvent(projection, rows, recordedEvent({ type, data: { patientId, ...data } }, { metadata }))
  return rows.get(key) ?? null
}

describe('a patient', () => {
  const fold = (...events: Event[]) => foldRow(insightPatients, patientId, ...events)
  const alive: Event = ['PatientRegistered', { practiceId, deceasedOn: null }]
  const died: Event = ['PatientDeathRecorded', { deceasedOn: '2026-11-02' }]
  const book = (appointmentId: string, day: string, sample = false): Event => [
    'AppointmentBooked',
    { appointmentId, slot: { startsAt: `2026-11-${day}T09:00:00.000Z` }, status: 'scheduled' },
    { sample },
  ]
  const lastOf = (...events: Event[]) => {
    const row = fold(alive, ...events)
    return [row?.['last_appointment'], row?.['last_own_appointment']].map((at) =>
      typeof at === 'string' ? at.slice(8, 10) : at,
    )
  }

  it('lives, until a death is recorded, and again when that was wrong', () => {
    expect(fold(alive)).toMatchObject({ living: true })
    expect(fold(alive, died)).toMatchObject({ living: false })
    expect(fold(['PatientRegistered', { practiceId, deceasedOn: '2026-11-02' }])).toMatchObject({ living: false })
    const correct = (to: string | null): Event => ['PatientDeathCorrected', { from: '2026-11-02', to }]
    expect(fold(alive, died, correct(null))).toMatchObject({ living: true })
    expect(fold(alive, died, correct('2026-11-01'))).toMatchObject({ living: false })
  })

  it('is gone after the removal, whatever follows', () => {
    expect(fold(alive, book('a', '20'), ['PatientRemoved', {}])).toBeNull()
    expect(fold(alive, book('a', '20'), ['PatientRemoved', {}], ['AppointmentCancelled', { appointmentId: 'a' }])).toBe(
      null,
    )
  })

  it('has contact data, until the last of it is removed', () => {
    const registered = (phone: string | null, email: string | null): Event => [
      'PatientRegistered',
      { practiceId, deceasedOn: null, phone, email },
    ]
    const change = (to: object): Event => ['PatientContactChanged', { from: {}, to }]
    expect(fold(registered(null, null))).toMatchObject({ has_phone: false, has_email: false })
    expect(fold(registered('617 555 0142', null))).toMatchObject({ has_phone: true, has_email: false })
    expect(fold(registered('617 555 0142', null), change({ address: null }))).toMatchObject({ has_phone: true })
    expect(fold(registered('617 555 0142', null), change({ phone: null, email: 'a@example.test' }))).toMatchObject({
      has_phone: false,
      has_email: true,
    })
  })

  it('has an insurance, until it is removed from the record', () => {
    const insuranceInfo = { provider: 'Summit Mutual', policyNumber: null, groupNumber: null, memberName: null }
    const registered = (known: object | null): Event => [
      'PatientRegistered',
      { practiceId, deceasedOn: null, insuranceInfo: known },
    ]
    const change = (known: object | null): Event => ['PatientInsuranceChanged', { insuranceInfo: known }]
    expect(fold(registered(null))).toMatchObject({ has_insurance: false })
    expect(fold(registered(insuranceInfo), ['PatientNotesChanged', { notes: null }])).toMatchObject({
      has_insurance: true,
    })
    expect(fold(registered(null), change(insuranceInfo))).toMatchObject({ has_insurance: true })
    expect(fold(registered(insuranceInfo), change(null))).toMatchObject({ has_insurance: false })
  })

  it('has a conflict while a medication is one that an allergy rules out', () => {
    const registered = (allergies: string[] | null, ...medications: string[]): Event => [
      'PatientRegistered',
      { practiceId, deceasedOn: null, allergies, medications: medications.map((name) => ({ name })) },
    ]
    expect(fold(registered(['Penicillin (hives)'], 'Amoxicillin 500 mg'))).toMatchObject({ conflict: 'urgent' })
    expect(fold(registered(['Penicillin'], 'Cephalexin'))).toMatchObject({ conflict: 'attention' })
    expect(fold(registered(['Peanuts'], 'Amoxicillin'))).toMatchObject({ conflict: null, conflict_version: 1 })
    expect(fold(registered(null))).toMatchObject({ conflict: null })

    const prescribe = (name: string, knownAllergies?: string[]): Event => [
      'PatientMedicationsChanged',
      { medications: [{ name }], knownAllergies },
    ]
    const react = (allergy: string, knownMedication: string): Event => [
      'PatientAllergiesChanged',
      { allergies: [allergy], knownMedications: [{ name: knownMedication }] },
    ]
    const conflict = { conflict: 'urgent', conflict_version: 2 }
    expect(fold(registered(['Aspirin']), prescribe('Ibuprofen', ['Aspirin']))).toMatchObject(conflict)
    expect(fold(registered([], 'Lisinopril'), react('ACE inhibitors', 'Lisinopril'))).toMatchObject(conflict)
    expect(fold(registered(['Aspirin'], 'Ibuprofen'), prescribe('Paracetamol', ['Aspirin']))).toMatchObject({
      conflict: null,
      conflict_version: 2,
    })
    // An event of an earlier version does not say what else the chart listed.
    expect(fold(registered(['Aspirin']), prescribe('Ibuprofen'))).toMatchObject({ conflict: null })
  })

  it('has the identity of patients with the same name and birth date, however the name is written', () => {
    const registered = (firstName: string, dateOfBirth: string | null): Event => [
      'PatientRegistered',
      { practiceId, deceasedOn: null, firstName, lastName: "O'Brien", dateOfBirth },
    ]
    expect(fold(registered('José', '1980-01-02'))).toMatchObject({ identity: 'obrien jose 1980-01-02' })
    expect(fold(registered('José', null))).toMatchObject({ identity: null, first_name: 'José' })
    const corrected: Event = ['PatientDemographicsCorrected', { from: {}, to: { firstName: 'Joe' } }]
    expect(fold(registered('José', '1980-01-02'), corrected)).toMatchObject({ identity: 'obrien joe 1980-01-02' })
  })

  it('has the last appointment that was neither cancelled nor missed', () => {
    expect(lastOf()).toEqual([null, null])
    expect(lastOf(book('a', '20'), book('b', '10'))).toEqual(['20', '20'])
    const change = (appointmentId: string, to: string): Event => ['AppointmentStatusChanged', { appointmentId, to }]
    expect(lastOf(book('a', '20'), book('b', '10'), change('a', 'no-show'))).toEqual(['10', '10'])
    expect(lastOf(book('a', '20'), book('b', '10'), change('a', 'no-show'), change('a', 'scheduled'))).toEqual([
      '20',
      '20',
    ])
    expect(lastOf(book('a', '20'), ['AppointmentCompleted', { appointmentId: 'a' }])).toEqual(['20', '20'])
    expect(lastOf(book('a', '20'), ['AppointmentCancelled', { appointmentId: 'a' }])).toEqual([null, null])
    expect(lastOf(book('a', '20'), book('b', '10'), ['AppointmentRemoved', { appointmentId: 'a' }])).toEqual([
      '10',
      '10',
    ])
    const moved: Event = [
      'AppointmentRescheduled',
      { appointmentId: 'a', to: { startsAt: '2026-11-05T09:00:00.000Z' } },
    ]
    expect(lastOf(book('a', '20'), book('b', '10'), moved)).toEqual(['10', '10'])
  })

  it('has a small row, however many appointments there are', () => {
    const days = Array.from({ length: 28 }, (_, n) => String(n + 1).padStart(2, '0'))
    const booked = days.map((day) => book(`on ${day}`, day))
    const cancel = (day: string): Event => ['AppointmentCancelled', { appointmentId: `on ${day}` }]
    expect(Object.keys(fold(alive, ...booked)?.['appointments'] ?? {})).toHaveLength(20)
    expect(lastOf(...booked)).toEqual(['28', '28'])
    // The last one of those that were left out.
    expect(lastOf(...booked, ...days.slice(8).map(cancel))).toEqual(['08', '08'])
    const moved: Event = [
      'AppointmentRescheduled',
      { appointmentId: 'on 01', to: { startsAt: '2026-11-30T09:00:00.000Z' } },
    ]
    expect(lastOf(...booked, moved)).toEqual(['30', '30'])
  })

  it('has another last appointment without the sample ones', () => {
    expect(lastOf(book('a', '20', true), book('b', '10'))).toEqual(['20', '10'])
    expect(lastOf(book('a', '20', true))).toEqual(['20', null])
    expect(lastOf(book('a', '20', true), ['SampleAppointmentKept', { appointmentId: 'a' }])).toEqual(['20', '20'])
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

describe('a form', () => {
  const formId = '018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0081'
  const fold = (...events: Event[]) =>
    foldRow(insightForms, formId, ...events.map(([type, data]): Event => [type, { formId, practiceId, ...data }]))
  const assigned: Event = ['FormAssigned', {}]
  const analyzed = (version: number, urgentCount: number): Event => ['FormAnalyzed', { version, urgentCount }]

  it('waits until it is reviewed or completed', () => {
    expect(fold(assigned)).toMatchObject({ is_open: true, is_submitted: false })
    expect(fold(assigned, ['FormSubmitted', {}])).toMatchObject({ is_open: true, is_submitted: true })
    expect(fold(assigned, ['FormReviewed', {}])).toMatchObject({ is_open: false })
    expect(fold(assigned, ['FormCompleted', {}])).toMatchObject({ is_open: false })
  })

  it('has an urgent finding as its last analysis says', () => {
    expect(fold(assigned, analyzed(1, 2))).toMatchObject({ urgent_version: 1 })
    expect(fold(assigned, analyzed(1, 2), analyzed(2, 0))).toMatchObject({ urgent_version: null })
  })
})

describe('the working time of a practice', () => {
  const fold = (...events: Event[]) => {
    const rows: Rows = new Map()
    for (const [type, data] of events)
      applyEvent(insightPractices, rows, recordedEvent({ type, data: { ...data } }, { metadata: at }))
    return [...rows.values()][0]
  }
  const at = { practiceId, sample: false, at: '2026-11-02T10:00:00.000Z' }
  const added = (providerId: string): Event => ['ProviderAdded', { providerId }]

  it('has the providers who see patients', () => {
    expect(fold(added('a'), added('b'), ['ProviderDeactivated', { providerId: 'a' }])).toMatchObject({
      week: null,
      providers: [{ id: 'b', since: '2026-11-02' }],
    })
    const back: Event = ['ProviderReactivated', { providerId: 'a' }]
    expect(fold(added('a'), ['ProviderDeactivated', { providerId: 'a' }], back)).toMatchObject({
      providers: [{ id: 'a' }],
    })
  })

  it('has the changed hours, and the others as they are by default', () => {
    const row = fold(['WorkingHoursChanged', { to: { monday: null } }])
    expect(row?.['week']).toMatchObject({ monday: null, tuesday: { opens: '09:00' }, sunday: null })
  })

  it('has the holidays and days off', () => {
    const holiday: Event = [
      'ClosureAdded',
      { closureId: 'c', providerId: null, from: '2026-12-24', until: '2026-12-26' },
    ]
    expect(fold(holiday, ['ClosureChanged', { closureId: 'c', to: { until: '2026-12-31' } }])).toMatchObject({
      closures: { c: { providerId: null, from: '2026-12-24', until: '2026-12-31' } },
    })
    expect(fold(holiday, ['ClosureRemoved', { closureId: 'c' }])).toMatchObject({ closures: {} })
  })
})

it('keeps the last decision about an insight until it is taken back', () => {
  const insightId = '018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0091'
  const decision = { insightId, practiceId, rule: 'no-contact', subject: '', grounds: ['a'] }
  const until = '2026-12-01T05:00:00.000Z'
  const fold = (...events: Event[]) => foldRow(insightDecisions, insightId, ...events)
  expect(fold(['InsightSnoozed', { ...decision, until }])).toMatchObject({ kind: 'snoozed', grounds: ['a'], until })
  expect(fold(['InsightSnoozed', { ...decision, until }], ['InsightDone', decision])).toMatchObject({
    kind: 'done',
    until: null,
  })
  expect(fold(['InsightDismissed', decision], ['InsightReopened', { insightId, practiceId }])).toBeNull()
})

describe('a document', () => {
  it('is noted when it is begun, and stays as it was', () => {
    const fold = (...events: Event[]) => foldRow(insightDocuments, 'one', ...events)
    const drafted: Event = ['ClinicalDocumentDrafted', { documentId: 'one', practiceId }]
    const row = { document_id: 'one', practice_id: practiceId, patient_id: patientId, sample: false }
    expect(fold(drafted)).toMatchObject(row)
    expect(fold(drafted, ['ClinicalDocumentApproved', { documentId: 'one', practiceId }])).toEqual(fold(drafted))
  })
})
