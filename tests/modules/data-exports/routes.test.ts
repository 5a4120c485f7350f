import { randomUUID } from 'node:crypto'
import { Client as Database } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toLocalDate } from '#contracts/values/calendar.ts'
import { formatCsvCell } from '#contracts/values/csv.ts'
import { DataExportId } from '#contracts/values/ids.ts'
import type { Recorded } from '#eventstore/event.ts'
import { slotOffersProjection } from '#modules/confirmations/offers/projection.ts'
import { surveysProjection } from '#modules/confirmations/surveys/projection.ts'
import { tooLarge } from '#modules/data-exports/archive.ts'
import { dataExportsDecider } from '#modules/data-exports/decider.ts'
import { deleteOldDataExportFiles, writeDataExport } from '#modules/data-exports/jobs.ts'
import { jobNames } from '#modules/data-exports/process-manager.ts'
import { writeExportFile } from '#modules/data-exports/write-file.ts'
import { type AnyProjection, applyEvent, type Rows } from '#projections/projection.ts'
import { buildStatements } from '#projections/tables.ts'
import { newSchedulingPractice } from '#tests/modules/appointments/scheduling-practice.ts'
import { newSubscriber } from '#tests/support/billing.ts'
import { readStream } from '#tests/support/events.ts'
import { newMember } from '#tests/support/members.ts'
import { newOwner, password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { waitUntil } from '#tests/support/wait-until.ts'
import { downloadFile, exportAll, listExports, readArchive, requestExport, waitForState } from './export-archive.ts'
import { findProblems, findReferences } from './fhir-rules.ts'
import { itLong } from '#tests/support/long.ts'

const hourMs = 3_600_000

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.dispose())

const historyOf = async (practiceId: string, testApp = app) =>
  await readStream(testApp.services.store, `${dataExportsDecider.category}-${practiceId}`)

/** Runs a query as the owner of the database. */
async function query<Row>(text: string, testApp = app): Promise<Row[]> {
  const database = new Database({ connectionString: testApp.databaseUrl })
  await database.connect()
  try {
    return (await database.query(text)).rows as Row[]
  } finally {
    await database.end()
  }
}

const countChunks = async (exportId: string, testApp = app) =>
  (
    await query<{ n: number }>(
      `select count(*)::int as n from app.data_export_chunks where export_id = '${exportId}'`,
      testApp,
    )
  )[0]?.n

/** Names that spreadsheets, CSV and JSON may trip over. */
const oddNames = [
  `=HYPERLINK("http://evil.example","x")`,
  '+1234',
  '-2+3',
  '@SUM(A1:A9)',
  `O"Brien, Jr.`,
  `'=1`,
  'Zoë 🩺 李',
  'مريم',
  'a\u2028b',
  '"',
  ',',
  '\\n',
  'Null',
  'x'.repeat(100),
]

const documentOf = (patientId: string) => ({
  patientId,
  documentType: 'soap-note',
  soapNote: { subjective: 'Cough', objective: 'Clear', assessment: 'Cold', plan: 'Rest' },
  icdCodes: ['R05.9'],
  cptCodes: [],
})

const fileNames = [
  'README.txt',
  ...[
    'allergies',
    'appointment_types',
    'appointments',
    'call_logs',
    'clinical_documents',
    'closures',
    'confirmations',
    'form_answers',
    'form_findings',
    'forms',
    'insurance',
    'insurance_verifications',
    'medication_administrations',
    'medications',
    'members',
    'patient_communications',
    'patients',
    'practice',
    'prior_authorizations',
    'providers',
    'referrals',
    'satisfaction',
    'slot_offers',
    'stock_items',
    'supply_order_items',
    'supply_orders',
    'vital_signs',
    'waitlist',
    'working_hours',
  ].map((name) => `csv/${name}.csv`),
  ...[
    'AllergyIntolerance',
    'Appointment',
    'Condition',
    'Coverage',
    'Immunization',
    'MedicationAdministration',
    'MedicationStatement',
    'Observation',
    'Organization',
    'Patient',
    'Practitioner',
    'PractitionerRole',
    'QuestionnaireResponse',
  ].map((type) => `fhir/${type}.ndjson`),
]

describe('the archive', () => {
  itLong('contains every patient and appointment in both formats, whatever their names', async () => {
    const { client, practice, provider, book } = await newSchedulingPractice(app)
    const sent = oddNames.map((name, index) => ({
      firstName: name,
      lastName: oddNames.at(-1 - index) ?? '',
      dateOfBirth: index % 2 ? '1980-02-29' : null,
      gender: index % 3 ? 'female' : null,
      email: index % 2 ? `odd${index}@example.test` : null,
      phone: index % 2 ? '(617) 555-0123' : null,
      address: index % 2 ? `${index} Harbor Street\nLakeside` : null,
      notes: name,
      medicalHistory: index % 2 ? `Asthma\nAsthma\n${name}` : null,
      allergies: index % 2 ? [name, 'Latex'] : [],
      allergiesStatus: index % 2 ? 'listed' : index % 4 ? 'none-known' : 'unknown',
      medications:
        index % 2
          ? [
              { name, dosage: '5 mg', frequency: null },
              { name, dosage: '5 mg', frequency: null },
            ]
          : [],
      insuranceInfo: index % 2 ? { provider: name, policyNumber: '=1', groupNumber: name, memberName: null } : null,
      emergencyContact: index % 2 ? { name, relationship: null, phone: '+1' } : null,
      deceasedOn: null,
    }))
    const patients = []
    for (const body of sent) {
      const reply = await client.post('/api/patients', body)
      expect(reply).toMatchObject({ status: 201 })
      patients.push(reply.body)
    }
    const appointments = []
    for (const [index, { id: patientId }] of patients.entries())
      appointments.push(
        await book(`2031-03-0${3 + (index % 5)}T${10 + Math.floor(index / 5)}:00`, {
          patientId,
          reason: oddNames[index],
          notes: index % 2 ? oddNames[index] : null,
        }),
      )
    const statuses = ['confirmed', 'waiting', 'in-progress', 'completed', 'cancelled', 'no-show']
    for (const [index, status] of statuses.entries())
      expect((await client.patch(`/api/appointments/${appointments[index]?.id}`, { status })).status).toBe(200)
    // A patient who was removed keeps the past appointments.
    const removed = patients.pop()
    const past = await book('2021-03-03T09:00', { patientId: removed.id })
    expect((await client.delete(`/api/patients/${removed.id}`)).status).toBe(204)
    const waiting = { patientId: patients[0].id, type: 'check-up', earliest: '2031-01-01', notes: '=1' }
    expect((await client.post('/api/waitlist', waiting)).status).toBe(201)

    const { names, tables, resources, exportId, bytes } = await exportAll(client)
    expect(names.toSorted()).toEqual(fileNames)

    // Every stored record of the practice, as the tables behind the screens have it.
    const stored = async (table: string) =>
      (
        await query<{ id: string }>(`select id from read.${table} where practice_id = '${practice.id}' order by id`)
      ).map(({ id }) => id)
    const patientIds = await stored('patients')
    const appointmentIds = await stored('appointments')
    expect(patientIds.length).toBe(patients.length + 1)
    expect(appointmentIds).toContain(past.id)
    expect(tables['patients']?.map((row) => row['patient_id']).toSorted()).toEqual(patientIds)
    expect(tables['appointments']?.map((row) => row['appointment_id']).toSorted()).toEqual(appointmentIds)
    const idsOf = (type: string) => resources[type]?.map(({ id }) => id).toSorted()
    const isActive = ({ active }: Record<string, unknown>) => active === true
    expect(
      resources['Patient']
        ?.filter(isActive)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(patientIds)
    expect(
      resources['Appointment']
        ?.filter(({ status }) => status !== 'waitlist')
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(appointmentIds)
    expect(idsOf('Practitioner')).toEqual([provider.id])
    expect(tables['members']).toHaveLength(1)
    expect(tables['waitlist']).toHaveLength(1)

    // The values, too.
    for (const [index, patient] of patients.entries()) {
      const row = tables['patients']?.find((each) => each['patient_id'] === patient.id)
      const unquoted = (value: string | null) => {
        const cell = formatCsvCell(value ?? '')
        return cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell
      }
      expect(row).toMatchObject({
        first_name: unquoted(patient.firstName),
        last_name: unquoted(patient.lastName),
        phone: unquoted(patient.phone),
        notes: unquoted(patient.notes),
      })
      expect(resources['Patient']?.find(({ id }) => id === patient.id)).toMatchObject({
        name: [{ family: patient.lastName, given: [patient.firstName] }],
      })
      const ofPatient = (type: string) =>
        (resources[type] ?? []).filter((each) => findReferences(each).includes(`Patient/${patient.id}`))
      const isFull = index % 2 === 1
      expect(ofPatient('Coverage')).toHaveLength(isFull ? 1 : 0)
      expect(ofPatient('MedicationStatement')).toHaveLength(isFull ? 2 : 0)
      expect(ofPatient('Condition')).toHaveLength(isFull ? 3 : 0)
      expect(ofPatient('AllergyIntolerance')).toHaveLength(isFull ? 2 : index % 4 ? 1 : 0)
      expect(tables['allergies']?.filter((each) => each['patient_id'] === patient.id)).toHaveLength(isFull ? 2 : 0)
      expect(tables['medications']?.filter((each) => each['patient_id'] === patient.id)).toHaveLength(isFull ? 2 : 0)
      expect(tables['insurance']?.filter((each) => each['patient_id'] === patient.id)).toHaveLength(isFull ? 1 : 0)
    }
    // No cell of any table runs as a formula.
    for (const cell of Object.values(tables).flatMap((rows) => rows.flatMap((row) => Object.values(row))))
      expect(cell).not.toMatch(/^[=+\-@\t\r\n]/)

    // FHIR: valid, unique, and every reference resolves.
    const all = Object.entries(resources).flatMap(([type, each]) => each.map((resource) => ({ type, resource })))
    for (const { type, resource } of all) {
      expect(resource.resourceType).toBe(type)
      expect({ resource, problems: findProblems(resource) }).toEqual({ resource, problems: [] })
    }
    const known = all.map(({ resource }) => `${resource.resourceType}/${resource.id}`)
    expect(new Set(known).size).toBe(known.length)
    for (const { resource } of all) for (const reference of findReferences(resource)) expect(known).toContain(reference)
    expect(resources['Patient']?.find(({ id }) => id === removed.id)).toMatchObject({ active: false })

    // The counts and the size that the screen shows are true.
    const counts = {
      patients: patientIds.length,
      appointments: appointmentIds.length,
      waitlistEntries: 1,
      providers: 1,
      members: 1,
    }
    expect(await waitForState(client, exportId, 'ready')).toMatchObject({ bytes: bytes.length, counts })

    // Ids are the same in the next export.
    const again = await exportAll(client)
    for (const type of Object.keys(resources))
      expect(again.resources[type]?.map(({ id }) => id).toSorted()).toEqual(idsOf(type))
  })

  it('of an empty practice has all its files', async () => {
    const { client } = await newOwner(app)
    const { tables, resources } = await exportAll(client)
    expect(tables['patients']).toEqual([])
    expect(resources['Patient']).toEqual([])
    expect(resources['Organization']).toHaveLength(1)
    expect(tables['practice']).toHaveLength(1)
    expect(tables['appointment_types']).toHaveLength(5)
    expect(tables['appointment_types']?.[0]).toEqual({
      type: 'consultation',
      duration_minutes: '30',
      fee: '150.00',
      currency: 'USD',
      color: '',
    })
    // Those of the specification apply.
    expect([tables['working_hours'], tables['closures']]).toEqual([[], []])
  })

  it('contains what patients were asked and offered, and what they answered', async () => {
    const { client, practice } = await newSubscriber(app, 'professional')
    const patient = await client.post('/api/patients', { firstName: 'Grace', lastName: 'Liu' })
    const patientId = patient.body.id as string
    const gone = (await client.post('/api/patients', { firstName: 'Rosa', lastName: 'Gone' })).body.id as string
    const booked = await client.post('/api/appointments', {
      patientId,
      appointmentDate: '2031-03-04T10:00',
      type: 'consultation',
    })
    expect(booked.status).toBe(201)
    const isPlanned = async () => ((await client.get('/api/appointment-confirmations')).body as unknown[]).length
    await expect.poll(isPlanned).toBe(1)
    const appointmentId = booked.body.id as string
    const at = '2026-11-20T10:00:00.000Z'
    const event = (type: string, data: object) =>
      ({ type, data, metadata: { at, sample: false } }) as unknown as Recorded
    const save = async (projection: AnyProjection, events: readonly Recorded[]) => {
      const rows: Rows = new Map()
      for (const each of events) applyEvent(projection, rows, each)
      const text = JSON.stringify([...rows.values()])
      await app.services.pool.query(buildStatements(projection).save, [text])
    }
    const about = { practiceId: practice.id, appointmentId, channel: 'email', dueAt: at }
    const [surveyId, otherId] = [randomUUID(), randomUUID()]
    await save(surveysProjection, [
      event('SurveyPlanned', { ...about, surveyId, patientId }),
      event('SurveySent', { surveyId, patientId, delivery: 'sent' }),
      event('SurveyAnswered', { ...about, surveyId, patientId, score: 4 }),
      event('SurveyPlanned', { ...about, surveyId: otherId, patientId: gone }),
    ])
    const offer = { slotOfferId: randomUUID(), providerId: randomUUID(), reservationId: randomUUID(), startsAt: at }
    await save(slotOffersProjection, [
      event('SlotOffered', { ...about, ...offer, patientId, neededMinutes: 30, expiresAt: at }),
      event('SlotOfferDeclined', { ...offer, patientId }),
    ])
    expect((await client.delete(`/api/patients/${gone}`)).status).toBe(204)
    // Of another practice.
    const other = await newSubscriber(app, 'professional')
    const stranger = (await other.client.post('/api/patients', { firstName: 'Ada', lastName: 'Other' })).body
      .id as string
    const elsewhere = { ...about, practiceId: other.practice.id, patientId: stranger }
    await save(surveysProjection, [event('SurveyPlanned', { ...elsewhere, surveyId: randomUUID() })])
    const otherOffer = { ...offer, slotOfferId: randomUUID(), neededMinutes: 30, expiresAt: at }
    await save(slotOffersProjection, [event('SlotOffered', { ...elsewhere, ...otherOffer })])

    const { tables } = await exportAll(client)
    const named = { patient_id: patientId, patient_first_name: 'Grace', patient_last_name: 'Liu' }
    expect(tables['confirmations']).toMatchObject([{ ...named, appointment_id: appointmentId, status: 'pending' }])
    expect(tables['slot_offers']).toMatchObject([
      { ...named, id: offer.slotOfferId, status: 'declined', duration: '30' },
    ])
    expect(tables['satisfaction']).toMatchObject([
      { ...named, appointment_id: appointmentId, status: 'answered', score: '4', sent_at: at, answered_at: at },
    ])
  })

  it('contains forms with their answers and findings, and the records of the practice', async () => {
    const formData = { reason: '=1+1, and chest pain since today', 'own.key': 'free', smokes: true }
    const lotOf = (lotNumber: string) => ({
      route: 'intramuscular',
      site: 'Left deltoid',
      manufacturer: 'Lakeside Biologics',
      lotNumber,
      expiresOn: '2099-05-31',
      notes: 'Second dose',
    })
    const listRecords = (patientId: string): [string, object][] => [
      ['/api/insurance/verify', { patientId, insuranceProvider: 'Summit Mutual', policyNumber: 'SM-1' }],
      [
        '/api/call-logs',
        { patientId: null, callerPhone: '(617) 555-0142', callDirection: 'inbound', callNotes: 'Asked' },
      ],
      ['/api/clinical-documentation', documentOf(patientId)],
      ['/api/medication-administrations', { patientId, medication: 'Ibuprofen', dose: '400 mg', route: 'oral' }],
      [
        '/api/medication-administrations',
        { patientId, ...lotOf('DX-7'), medication: 'Dexamethasone', dose: 'one ampoule' },
      ],
      [
        '/api/medication-administrations',
        { patientId, ...lotOf('HB-12'), kind: 'vaccine', medication: 'Hepatitis B', dose: '1 mL' },
      ],
      ['/api/vital-signs', { patientId, systolicPressure: 124, diastolicPressure: 82, temperature: 36.89 }],
      ['/api/referrals', { patientId, specialtyType: 'Cardiology', reasonForReferral: 'Palpitations' }],
      [
        '/api/supply-orders',
        { supplierName: 'Harbor Supplies', orderItems: [{ name: 'Gloves', quantity: 4, unitPriceCents: 899 }] },
      ],
      [
        '/api/patient-communications',
        { patientId, communicationType: 'phone', direction: 'inbound', messageContent: 'Asked' },
      ],
      ['/api/prior-authorizations', { patientId, insuranceProvider: 'Summit Mutual', requestType: 'imaging' }],
    ]
    const fill = async () => {
      const { client } = await newSubscriber(app, 'professional')
      const patient = await client.post('/api/patients', { firstName: 'Grace', lastName: 'Liu' })
      const patientId = patient.body.id as string
      const form = await client.post('/api/forms', { patientId, formType: 'intake', title: 'Intake' })
      expect((await client.patch(`/api/forms/${form.body.id}`, { formData })).status).toBe(200)
      expect((await client.get(`/api/forms/${form.body.id}/analysis`)).status).toBe(200)
      for (const [path, body] of listRecords(patientId)) {
        const { status, body: reply } = await client.post(path, body)
        expect({ path, status, reply }).toMatchObject({ status: 201 })
      }
      return { client, patientId, form }
    }
    // The records of another practice are not in it.
    await fill()
    const { client, patientId, form } = await fill()

    const { names, tables, resources } = await exportAll(client)
    expect(names.toSorted()).toEqual(fileNames)
    const named = { patient_id: patientId, patient_first_name: 'Grace', patient_last_name: 'Liu' }
    expect(tables['forms']).toMatchObject([{ form_id: form.body.id, ...named, form_type: 'intake', analyst: 'rules' }])
    expect(tables['form_answers']).toEqual([
      expect.objectContaining({ question: 'What brings you here?', answer: `'${formData.reason}` }),
      expect.objectContaining({ question_id: 'smokes', question: 'Do you smoke?', answer: 'Yes' }),
      expect.objectContaining({ question_id: 'own.key', question: '', answer: 'free' }),
    ])
    expect(tables['form_findings']).toContainEqual(
      expect.objectContaining({ severity: 'urgent', evidence: expect.stringContaining('reason: ') }),
    )
    expect(tables['insurance_verifications']).toMatchObject([{ ...named, policy_number: 'SM-1', status: 'pending' }])
    expect(tables['call_logs']).toMatchObject([{ patient_id: '', call_notes: 'Asked' }])
    expect(tables['clinical_documents']).toMatchObject([
      { ...named, soap_note_subjective: 'Cough', icd_codes: 'R05.9' },
    ])
    expect(tables['medication_administrations']).toHaveLength(3)
    expect(tables['medication_administrations']).toContainEqual(
      expect.objectContaining({ ...named, medication: 'Ibuprofen', route: 'oral' }),
    )
    expect(tables['vital_signs']).toMatchObject([
      { ...named, systolic_pressure: '124', temperature: '36.89', heart_rate: '', status: 'recorded' },
    ])
    expect(tables['referrals']).toMatchObject([{ ...named, specialty_type: 'Cardiology' }])
    expect(tables['supply_orders']).toMatchObject([{ supplier_name: 'Harbor Supplies' }])
    expect(tables['supply_order_items']).toMatchObject([{ name: 'Gloves', quantity: '4' }])
    expect(tables['patient_communications']).toMatchObject([{ ...named, message_content: 'Asked' }])
    expect(tables['prior_authorizations']).toMatchObject([{ ...named, status: 'draft' }])
    const observations = resources['Observation'] ?? []
    expect(observations).toMatchObject([
      { status: 'final', subject: { reference: `Patient/${patientId}` }, component: [{}, {}] },
      { code: { coding: [{ code: '8310-5' }] }, valueQuantity: { value: 36.89, code: 'Cel' } },
    ])
    expect(observations.flatMap(findProblems)).toEqual([])
    const given = resources['MedicationAdministration'] ?? []
    expect(given).toHaveLength(2)
    expect(given).toContainEqual(
      expect.objectContaining({
        medicationCodeableConcept: { text: 'Ibuprofen' },
        dosage: {
          text: '400 mg',
          route: expect.objectContaining({ text: 'oral' }),
          dose: { value: 400, unit: 'mg' },
        },
      }),
    )
    expect(given).toContainEqual(
      expect.objectContaining({
        subject: { reference: `Patient/${patientId}` },
        contained: [expect.objectContaining({ batch: { lotNumber: 'DX-7', expirationDate: '2099-05-31' } })],
        dosage: expect.objectContaining({ dose: { unit: 'one ampoule' } }),
      }),
    )
    const vaccines = resources['Immunization'] ?? []
    expect(vaccines).toMatchObject([
      {
        status: 'completed',
        vaccineCode: { text: 'Hepatitis B' },
        lotNumber: 'HB-12',
        doseQuantity: { value: 1, unit: 'mL' },
      },
    ])
    expect([...given, ...vaccines].flatMap(findProblems)).toEqual([])
    const [response] = resources['QuestionnaireResponse'] ?? []
    expect(response).toMatchObject({
      status: 'in-progress',
      subject: { reference: `Patient/${patientId}` },
      item: [
        { linkId: 'reason', answer: [{ valueString: formData.reason }] },
        { linkId: 'smokes', answer: [{ valueBoolean: true }] },
        { linkId: 'own.key', answer: [{ valueString: 'free' }] },
      ],
    })
    expect(response && findProblems(response)).toEqual([])
  })

  it('contains the working hours, holidays and days off', async () => {
    const { client } = await newOwner(app)
    const friday = { opens: '08:00', closes: '15:00', breaks: [{ from: '12:00', until: '12:30' }] }
    expect((await client.patch('/api/working-hours', { hours: { friday } })).status).toBe(200)
    const [provider] = (await client.get('/api/providers')).body as { id: string }[]
    const holiday = { name: 'Spring day', from: '2031-03-20', until: '2031-03-21' }
    const dayOff = { name: null, providerId: provider?.id, from: '2031-04-01', until: '2031-04-01' }
    for (const closure of [holiday, dayOff]) expect((await client.post('/api/closures', closure)).status).toBe(201)
    const { tables } = await exportAll(client)
    expect(tables['working_hours']).toHaveLength(7)
    expect(tables['working_hours']?.slice(4, 6)).toEqual([
      { weekday: 'friday', closed: 'false', opens: '08:00', closes: '15:00', breaks: '12:00-12:30' },
      { weekday: 'saturday', closed: 'true', opens: '', closes: '', breaks: '' },
    ])
    expect(tables['closures']).toMatchObject([
      { provider_id: '', name: 'Spring day', first_date: '2031-03-20', last_date: '2031-03-21' },
      { provider_id: provider?.id, name: '', first_date: '2031-04-01', last_date: '2031-04-01' },
    ])
  })

  itLong('marks the records of the sample practice', async () => {
    const sampleApp = await startTestApp({ hasSamplePractices: true })
    try {
      const { client } = await newOwner(sampleApp)
      await waitUntil(async () => (await client.get('/api/sample-data')).body.state === 'seeded')
      const { tables, resources } = await exportAll(client)
      expect(tables['patients']?.length).toBeGreaterThan(10)
      expect(tables['patients']?.every((row) => row['sample'] === 'true')).toBe(true)
      const tags = resources['Patient']?.map(({ meta }) => (meta as { tag?: { code: string }[] }).tag?.[0]?.code)
      expect(new Set(tags)).toEqual(new Set(['HTEST']))
      const problems = Object.values(resources).flatMap((each) => each.flatMap(findProblems))
      expect(problems).toEqual([])
    } finally {
      await sampleApp.dispose()
    }
  })
})

describe('the file', () => {
  it('is stored encrypted, and is neither in events nor in the read model', async () => {
    const { client } = await newOwner(app)
    await client.post('/api/patients', { firstName: 'Rosalindfranklin', lastName: 'Secretname', notes: 'Hiddennote' })
    const exportId = await requestExport(client)
    await waitForState(client, exportId, 'ready')
    const chunks = await query<{ content: Buffer; entry: number }>(
      `select content, entry from app.data_export_chunks where export_id = '${exportId}'`,
    )
    expect(chunks.length).toBeGreaterThan(10)
    for (const { content } of chunks)
      for (const text of ['Secretname', 'Hiddennote', 'csv/', 'entries', 'resourceType'])
        expect(content.includes(text)).toBe(false)
    const events = await query<{ data: string }>(`select data from es.events where type like 'DataExport%'`)
    expect(events.length).toBeGreaterThan(0)
    const rows = await query<object>('select * from read.data_exports')
    expect(JSON.stringify([events, rows])).not.toContain('Secretname')
  })

  it('is sent as an attachment, of which the size is known', async () => {
    const { client } = await newOwner(app)
    const exportId = await requestExport(client)
    const { bytes: size } = await waitForState(client, exportId, 'ready')
    const { status, headers, bytes } = await downloadFile(client, exportId)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/zip')
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="everchart-export-\d{4}-\d\d-\d\d\.zip"$/)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('content-length')).toBe(String(size))
    expect(bytes.length).toBe(size)
  })

  itLong('has the date of the practice in its name', async () => {
    const timeApp = await startTestApp()
    try {
      timeApp.stopClock()
      const now = timeApp.services.clock()
      // It is another day in one of them, whatever the time is.
      const [east, west] = ['Pacific/Kiritimati', 'Pacific/Pago_Pago']
      expect(toLocalDate(now, east)).not.toBe(toLocalDate(now, west))
      for (const timezone of [east, west]) {
        const { client } = await newOwner(timeApp, { timezone })
        const exportId = await requestExport(client)
        await waitForState(client, exportId, 'ready')
        const { headers } = await downloadFile(client, exportId)
        expect(headers.get('content-disposition')).toContain(`everchart-export-${toLocalDate(now, timezone)}.zip`)
      }
    } finally {
      await timeApp.dispose()
    }
  })

  it('is announced by HEAD, which is no download', async () => {
    const { client, practice } = await newOwner(app)
    const exportId = await requestExport(client)
    const { bytes } = await waitForState(client, exportId, 'ready')
    const before = await historyOf(practice.id)
    const ask = (id: string, cookie = client.cookie() ?? '') =>
      fetch(`${client.url}/api/data-exports/${id}/file`, { method: 'HEAD', headers: { cookie } })
    const reply = await ask(exportId)
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-length')).toBe(String(bytes))
    expect(await reply.text()).toBe('')
    expect((await ask(exportId, '')).status).toBe(401)
    expect((await ask(crypto.randomUUID())).status).toBe(404)
    const next = await exportAll(client)
    expect((await ask(exportId)).status).toBe(409)
    expect(await historyOf(practice.id)).toHaveLength(before.length + 5)
    expect((await ask(next.exportId)).status).toBe(200)
  })

  itLong('is sent thirty times an hour, whatever was refused or only asked before', async () => {
    const { client, practice } = await newOwner(app)
    const { exportId } = await exportAll(client)
    const ask = () =>
      fetch(`${client.url}/api/data-exports/${exportId}/file`, {
        method: 'HEAD',
        headers: { cookie: client.cookie() ?? '' },
      })
    for (let count = 0; count < 31; count++) expect((await ask()).status).toBe(200)
    for (let count = 0; count < 29; count++) expect((await downloadFile(client, exportId)).status).toBe(200)
    expect((await downloadFile(client, exportId)).status).toBe(429)
    const refused = await ask()
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    const downloads = (await historyOf(practice.id)).filter(({ type }) => type === 'DataExportDownloaded')
    expect(downloads).toHaveLength(30)
  })

  it('is for the owner and administrators of this practice', async () => {
    const { client, practice } = await newOwner(app)
    const exportId = await requestExport(client)
    await waitForState(client, exportId, 'ready')
    for (const role of ['doctor', 'nurse', 'staff', 'reviewer'] as const) {
      const member = await newMember(app, practice.id, role)
      expect((await downloadFile(member.client, exportId)).status).toBe(403)
      expect((await member.client.post('/api/data-exports')).status).toBe(403)
    }
    const { client: stranger } = await newOwner(app)
    expect((await downloadFile(stranger, exportId)).status).toBe(404)
    expect((await stranger.post(`/api/data-exports/${exportId}/retry`)).status).toBe(404)
    expect((await downloadFile(app.newClient(), exportId)).status).toBe(401)
    expect((await historyOf(practice.id)).some(({ type }) => type === 'DataExportDownloaded')).toBe(false)
    const { client: administrator } = await newMember(app, practice.id, 'administrator')
    expect((await downloadFile(administrator, exportId)).status).toBe(200)
  })

  it('of a patient whose key was destroyed contains nothing about them', async () => {
    const { client } = await newOwner(app)
    const { id } = (
      await client.post('/api/patients', { firstName: 'Erased', lastName: 'Secretname', notes: 'Hidden' })
    ).body
    await app.services.keyStore.destroy(id)
    const { tables } = await exportAll(client)
    expect(tables['patients']?.map((row) => row['notes'])).toEqual([''])
  })

  itLong('is on the record: requested, ready, downloaded by whom, expired', async () => {
    const timeApp = await startTestApp()
    try {
      timeApp.stopClock()
      const { client, practice, user } = await newOwner(timeApp)
      const exportId = await requestExport(client)
      const { expiresAt } = await waitForState(client, exportId, 'ready')
      const { client: administrator, user: other } = await newMember(timeApp, practice.id, 'administrator')
      expect((await downloadFile(administrator, exportId)).status).toBe(200)
      expect((await listExports(client))[0]?.lastDownload).not.toBeNull()
      timeApp.advanceClock(24 * hourMs - 1)
      // The session has ended since.
      await client.post('/api/login', { email: user.email, password })
      expect((await downloadFile(client, exportId)).status).toBe(200)
      timeApp.advanceClock(1)
      // Not before the job has run, but at this instant.
      expect((await downloadFile(client, exportId)).status).toBe(409)
      expect((await listExports(client))[0]?.state).toBe('expired')
      expect(await countChunks(exportId, timeApp)).toBeGreaterThan(0)
      const { metadata } = (await historyOf(practice.id, timeApp)).at(0) ?? {}
      const cause = { correlationId: metadata?.correlationId, causationId: metadata?.causationId }
      await timeApp.services.jobs.send(jobNames.expire, { exportId, practiceId: practice.id, cause })
      await waitUntil(async () => (await historyOf(practice.id, timeApp)).at(-1)?.type === 'DataExportExpired')
      // A download that has begun goes on.
      expect(await countChunks(exportId, timeApp)).toBeGreaterThan(0)
      await timeApp.services.jobs.send(jobNames.deleteFile, { exportId })
      await waitUntil(async () => (await countChunks(exportId, timeApp)) === 0)
      await expect(
        waitUntil(
          () => timeApp.services.keyStore.getMany([exportId]).then((keys) => keys.get(exportId)),
          (key) => key === null,
        ),
      ).resolves.toBeNull()
      const subject = { exportId, practiceId: practice.id }
      expect(
        (await historyOf(practice.id, timeApp)).map(({ type, data, metadata: { actor } }) => ({ type, data, actor })),
      ).toMatchObject([
        { type: 'DataExportRequested', data: { ...subject, requestedBy: user.id }, actor: { userId: user.id } },
        { type: 'DataExportStarted', data: subject, actor: { name: jobNames.write } },
        { type: 'DataExportReady', data: { ...subject, expiresAt }, actor: { name: jobNames.write } },
        { type: 'DataExportDownloaded', data: { ...subject, userId: other.id }, actor: { userId: other.id } },
        { type: 'DataExportDownloaded', data: { ...subject, userId: user.id }, actor: { userId: user.id } },
        { type: 'DataExportExpired', data: { ...subject, reason: 'time' }, actor: { name: jobNames.expire } },
      ])
      expect((await downloadFile(client, exportId)).status).toBe(409)
    } finally {
      await timeApp.dispose()
    }
  })

  it('of an export is replaced by the next one', async () => {
    const { client } = await newOwner(app)
    const first = await exportAll(client)
    const second = await exportAll(client)
    expect((await downloadFile(client, first.exportId)).status).toBe(409)
    expect((await downloadFile(client, second.exportId)).status).toBe(200)
    // A download that has begun goes on.
    expect(await countChunks(first.exportId)).toBeGreaterThan(0)
    await app.services.jobs.send(jobNames.deleteFile, { exportId: first.exportId })
    await waitUntil(async () => (await countChunks(first.exportId)) === 0)
    expect((await listExports(client)).map(({ state, isReplaced }) => [state, isReplaced])).toEqual([
      ['ready', false],
      ['expired', true],
    ])
  })

  it('that is gone, as after a restore, is not promised', async () => {
    const { client, practice } = await newOwner(app)
    const { exportId } = await exportAll(client)
    await query(`delete from app.data_export_chunks where export_id = '${exportId}'`)
    const before = await historyOf(practice.id)
    expect((await downloadFile(client, exportId)).status).toBe(409)
    expect(await historyOf(practice.id)).toHaveLength(before.length)
  })
})

describe('a request', () => {
  itLong(
    'sent twice with the same key makes one export; with another one it is refused while the first is written',
    async () => {
      const held = await startTestApp({ disabledProcessManagers: ['follow-data-exports'] })
      try {
        const { client, practice } = await newOwner(held)
        const send = (key: string) =>
          client.request('POST', '/api/data-exports', undefined, { 'idempotency-key': `"${key}"` })
        const [first, second] = [await send('one'), await send('one')]
        expect(first.status).toBe(201)
        expect(second.body).toEqual(first.body)
        expect(await send('two')).toMatchObject({ status: 409, problem: { code: 'export-running' } })
        const together = await Promise.all(['three', 'four', 'five'].map(send))
        expect(together.map(({ status }) => status)).toEqual([409, 409, 409])
        expect((await historyOf(practice.id, held)).map(({ type }) => type)).toEqual(['DataExportRequested'])
        expect((await downloadFile(client, first.body.exportId)).status).toBe(409)
      } finally {
        await held.dispose()
      }
    },
  )

  it('of two at once, one is carried out', async () => {
    const { client, practice } = await newOwner(app)
    const replies = await Promise.all([client.post('/api/data-exports'), client.post('/api/data-exports')])
    const accepted = replies.filter(({ status }) => status === 201)
    const requested = (await historyOf(practice.id)).filter(({ type }) => type === 'DataExportRequested')
    // The first may be ready before the second is decided.
    expect(requested).toHaveLength(accepted.length)
    for (const { status } of replies) expect([201, 409]).toContain(status)
    expect(accepted.length).toBeGreaterThan(0)
  })

  itLong('is limited to ten an hour', async () => {
    const { client } = await newOwner(app)
    for (let count = 0; count < 10; count++) {
      const exportId = await requestExport(client)
      await waitForState(client, exportId, 'ready')
    }
    expect(await client.post('/api/data-exports')).toMatchObject({
      status: 429,
      problem: { code: 'too-many-attempts' },
    })
  })

  itLong('that is refused while another export is written does not count', async () => {
    const held = await startTestApp({ disabledProcessManagers: ['follow-data-exports'] })
    try {
      const { client } = await newOwner(held)
      const { status, body } = await client.post('/api/data-exports')
      expect(status).toBe(201)
      for (let count = 0; count < 12; count++)
        expect(await client.post('/api/data-exports')).toMatchObject({
          status: 409,
          problem: { code: 'export-running' },
        })
      expect((await listExports(client)).map(({ id }) => id)).toEqual([body.exportId])
    } finally {
      await held.dispose()
    }
  })

  it('that is ready cannot be retried', async () => {
    const { client } = await newOwner(app)
    const { exportId } = await exportAll(client)
    const reply = await client.post(`/api/data-exports/${exportId}/retry`)
    expect(reply).toMatchObject({ status: 409, problem: { code: 'export-not-failed' } })
  })
})

describe('the job', () => {
  let held: TestApp
  beforeAll(async () => {
    held = await startTestApp({ disabledProcessManagers: ['follow-data-exports'] })
  })
  afterAll(() => held.dispose())

  /** Requests an export whose job the test runs itself. */
  async function requestHeld() {
    const { client, practice } = await newOwner(held)
    await client.post('/api/patients', { firstName: 'Grace', lastName: 'Hopper' })
    const exportId = DataExportId.parse(await requestExport(client))
    const [event] = await historyOf(practice.id, held)
    const { correlationId } = event?.metadata ?? {}
    const cause = { correlationId: correlationId ?? '', causationId: event?.id ?? '' }
    const data = { exportId, practiceId: practice.id, cause }
    const run = (signal = new AbortController().signal) =>
      writeDataExport.run(held.services, data, { id: exportId, signal, attempt: 1 })
    const typesOf = async () => (await historyOf(practice.id, held)).map(({ type }) => type)
    return { client, exportId, data, run, typesOf }
  }

  itLong('that failed for good can be retried', async () => {
    const { client, exportId, data, run } = await requestHeld()
    await writeDataExport.onDeadLetter?.(held.services, data, { id: exportId, error: 'Error' })
    expect((await listExports(client))[0]?.state).toBe('failed')
    expect((await downloadFile(client, exportId)).status).toBe(409)
    expect((await client.post(`/api/data-exports/${exportId}/retry`)).status).toBe(200)
    expect((await listExports(client))[0]?.state).toBe('requested')
    await run()
    expect((await downloadFile(client, exportId)).status).toBe(200)
  })

  itLong('that failed because of too much data says so, and cannot be retried', async () => {
    const { client, exportId, data } = await requestHeld()
    await writeDataExport.onDeadLetter?.(held.services, data, { id: exportId, error: `Error: ${tooLarge}` })
    expect(await listExports(client)).toMatchObject([{ state: 'failed', failure: 'too-large' }])
    expect(await client.post(`/api/data-exports/${exportId}/retry`)).toMatchObject({
      status: 409,
      problem: { code: 'export-too-large' },
    })
  })

  it('that an operator retries does nothing while a later export is written', async () => {
    const { client, exportId, data, run, typesOf } = await requestHeld()
    await writeDataExport.onDeadLetter?.(held.services, data, { id: exportId, error: 'Error' })
    await requestExport(client)
    await run()
    expect(await typesOf()).toEqual(['DataExportRequested', 'DataExportFailed', 'DataExportRequested'])
  })

  itLong('that runs twice at the same time, and again later, writes one file', async () => {
    const { client, exportId, run, typesOf } = await requestHeld()
    await Promise.all([run(), run(), run()])
    await run()
    expect(await typesOf()).toEqual(['DataExportRequested', 'DataExportStarted', 'DataExportReady'])
    const files = await query<{ id: string }>(
      `select distinct file_id as id from app.data_export_chunks where export_id = '${exportId}'`,
      held,
    )
    expect(files).toHaveLength(1)
    const { bytes } = await downloadFile(client, exportId)
    expect(readArchive(bytes).tables['patients']).toHaveLength(1)
  })

  it('that is interrupted leaves nothing, and begins again', async () => {
    const { client, exportId, run } = await requestHeld()
    const interruption = new AbortController()
    interruption.abort(new Error('The process stops'))
    await expect(run(interruption.signal)).rejects.toThrow('The process stops')
    expect(await countChunks(exportId, held)).toBe(0)
    expect((await listExports(client))[0]?.state).toBe('writing')
    await run()
    expect((await downloadFile(client, exportId)).status).toBe(200)
  })

  it('reads pages, with as many statements for many patients as for one', async () => {
    const { client, data, run } = await requestHeld()
    await run()
    /** Counts the statements of one more file. */
    async function countStatements(): Promise<number> {
      let statements = 0
      const db = new Proxy(held.services.db, {
        get(target, name) {
          const value = Reflect.get(target, name) as unknown
          if (typeof value !== 'function') return value
          return (...args: unknown[]) => {
            statements++
            return Reflect.apply(value, target, args) as unknown
          }
        },
      })
      const signal = new AbortController().signal
      await writeExportFile({ ...held.services, db }, { ...data, fileId: randomUUID(), signal })
      return statements
    }
    const forOne = await countStatements()
    for (let count = 0; count < 30; count++)
      await client.post('/api/patients', { firstName: 'Grace', lastName: `Number ${count}`, allergies: ['Latex'] })
    expect(await countStatements()).toBe(forOne)
    // Two for each table of records: a page, and the number of all.
    expect(forOne).toBeLessThan(40)
  })

  it('that cleans up deletes what a killed attempt left, and nothing newer', async () => {
    const { exportId, run } = await requestHeld()
    await run()
    const old = await requestHeld()
    await old.run()
    await query(
      `update app.data_export_chunks set created_at = now() - interval '27 hours' where export_id = '${old.exportId}'`,
      held,
    )
    const context = { id: exportId, signal: new AbortController().signal, attempt: 1 }
    await deleteOldDataExportFiles.run(held.services, {}, context)
    expect(await countChunks(old.exportId, held)).toBe(0)
    expect(await countChunks(exportId, held)).toBeGreaterThan(0)
  })
})
