import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authorizationExpiry } from '#modules/prior-authorizations/jobs.ts'
import { BookingConcern } from '#contracts/values/appointments.ts'
import { expireRecords } from '#modules/records/requests/public.ts'
import { newSubscriber } from '#tests/support/billing.ts'
import type { Client } from '#tests/support/client.ts'
import { joinPractice } from '#tests/support/members.ts'
import { password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { type Noun, nouns } from './nouns.ts'

/** Two in the afternoon in New York, where today is November 26. */
const start = new Date('2026-11-26T19:00:00.000Z')

let app: TestApp
let practice: Awaited<ReturnType<typeof newPractice>>
let other: Awaited<ReturnType<typeof newPractice>>
beforeAll(async () => {
  app = await startTestApp()
  app.stopClock()
  moveClock(start)
  practice = await newPractice()
  other = await newPractice()
})
afterAll(() => app.dispose())

const moveClock = (to: Date) => app.advanceClock(to.getTime() - app.services.clock().getTime())

async function newPractice() {
  const { client, practice: created, registration } = await newSubscriber(app, 'starter')
  const patient = await client.post('/api/patients', { firstName: 'Robert', lastName: 'Hayes' })
  const signInAgain = () => client.post('/api/login', { email: registration.email, password })
  return { client, practiceId: created.id, patientId: patient.body.id as string, signInAgain }
}

const about = ({ definition }: Noun, patientId = practice.patientId) =>
  definition.patient === 'none' ? {} : { patientId }
const add = async (noun: Noun, over: object = {}, sender: Client = practice.client) =>
  await sender.post(noun.path, { ...noun.body, ...about(noun), ...over })
async function addOne(noun: Noun, over: object = {}) {
  // Lists are ordered by time, and the clock is stopped.
  app.advanceClock(1_000)
  const { status, body } = await add(noun, over)
  expect({ status, body }).toMatchObject({ status: 201 })
  return { record: body, path: `${noun.path}/${body.id}` }
}

describe.each(nouns.map((noun) => [noun.noun, noun] as const))('a %s', (_, noun) => {
  const { definition, path, body, way, change } = noun
  const { statusField } = definition

  it('is added, and goes its way with a history', async () => {
    const { record, path: onePath } = await addOne(noun)
    expect(record).toMatchObject({
      ...body,
      ...(noun.noun === 'order' ? { orderItems: noun.fields['orderItems'], totalCents: 89_90 } : {}),
      ...about(noun),
      ...(definition.patient === 'none' ? {} : { patientName: 'Robert Hayes' }),
      [statusField]: definition.initialStatus,
      revision: 0,
    })
    for (const { status, body: sent = {} } of way) {
      const moved = await practice.client.patch(onePath, { [statusField]: status, ...sent })
      expect(moved).toMatchObject({ status: 200, body: { [statusField]: status, ...sent } })
    }
    const { body: whole } = await practice.client.get(onePath)
    const statuses = (whole.history as { status: string }[]).map(({ status }) => status)
    expect(statuses).toEqual([definition.initialStatus, ...way.map(({ status }) => status)].toReversed())
    expect(whole.history[0].by).toEqual(expect.any(String))
  })

  it('says what is missing, and what is not known', async () => {
    expect((await practice.client.post(path, about(noun))).status).toBe(422)
    expect((await add(noun, { unknown: 'x' })).status).toBe(422)
    expect((await practice.client.get(`${path}/018f3b1e-7b1a-4c3e-9a53-0d6f1f1fffff`)).status).toBe(404)
    expect((await practice.client.get(`${path}?cursor=x`)).status).toBe(422)
    expect((await practice.client.get(`${path}?status=none`)).status).toBe(422)
    expect(await practice.client.get(`${path}?search=%00`)).toMatchObject({
      status: 422,
      problem: { errors: [{ message: 'Contains characters that cannot be stored' }] },
    })
    if (definition.patient !== 'none') expect((await add(noun, { patientId: other.patientId })).status).toBe(404)
  })

  it('is exported as the list shows it, with its filters', async () => {
    const { record } = await addOne(noun)
    const [first] = way
    await practice.client.patch(`${path}/${record.id}`, { [statusField]: first?.status, ...first?.body })
    await addOne(noun)
    const readIds = async (query: string) => {
      const { body: text, headers } = await practice.client.get(`${path}/export?${query}`)
      expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
      const [header = '', ...lines] = String(text).replace('\u{FEFF}', '').trimEnd().split('\r\n')
      const place = header.split(',').indexOf('id')
      // No field before the id contains a comma.
      return lines.map((line) => line.split(',')[place])
    }
    for (const query of ['', `status=${definition.initialStatus}`, `status=${first?.status}`]) {
      const { body: listed } = await practice.client.get(`${path}?limit=200&${query}`)
      const ids = (listed as { id: string }[]).map(({ id }) => id)
      expect(ids.length).toBeGreaterThan(0)
      expect(await readIds(query)).toEqual(ids)
    }
    expect((await practice.client.get(`${path}/export?status=none`)).status).toBe(422)
  })

  it('is of one practice only', async () => {
    const { record, path: onePath } = await addOne(noun)
    expect((await other.client.get(onePath)).status).toBe(404)
    expect((await other.client.patch(onePath, change)).status).toBe(404)
    const { body: listed } = await other.client.get(path)
    expect(listed.some(({ id }: { id: string }) => id === record.id)).toBe(false)
  })

  it('names what others have changed since', async () => {
    const { path: onePath } = await addOne(noun)
    expect(await practice.client.patch(onePath, { ...change, revision: 0 })).toMatchObject({
      status: 200,
      body: { ...change, revision: 1 },
    })
    const stale = await practice.client.patch(onePath, { [statusField]: way[0]?.status, ...way[0]?.body, revision: 0 })
    expect(stale).toMatchObject({ status: 409, body: { code: 'changed-meanwhile' } })
    const [field] = Object.keys(change)
    expect(stale.body.changes).toEqual(expect.arrayContaining([expect.objectContaining({ field })]))
  })

  it('is listed newest first, page by page, by status and by a search', async () => {
    const first = await addOne(noun)
    const second = await addOne(noun)
    const page = await practice.client.get(`${path}?limit=1`)
    expect(page.body).toMatchObject([{ id: second.record.id }])
    const next = /<([^>]+)>/.exec(page.headers.get('link') ?? '')?.[1] ?? ''
    expect((await practice.client.get(next)).body).toMatchObject([{ id: first.record.id }])
    const listed = await practice.client.get(`${path}?status=${definition.initialStatus}&limit=200`)
    const ids = (listed.body as { id: string }[]).map(({ id }) => id)
    expect(ids.slice(0, 2)).toEqual([second.record.id, first.record.id])
    expect(Number(listed.headers.get('x-total-count'))).toBe(ids.length)
    const text = noun.searched ?? 'hayes'
    expect((await practice.client.get(`${path}?search=${text}&limit=1`)).body).toMatchObject([{ id: second.record.id }])
    expect((await practice.client.get(`${path}?search=qqqq`)).body).toEqual([])
  })

  it('keeps its text readable with the key of the patient only', async () => {
    const { record } = await addOne(noun)
    const row = await app.services.pool.query(`select * from read.${noun.projection.name} where id = $1`, [record.id])
    const stored = await app.services.readStored(`${noun.decider.category}-${record.id}`)
    const texts = JSON.stringify([row.rows, stored], (_key, value) => (typeof value === 'bigint' ? `${value}` : value))
    expect(texts).toContain(record.id)
    if (noun.secret) expect(texts).not.toContain(noun.secret)
  })
})

const find = (name: string) => nouns.find(({ noun }) => noun === name) as Noun

describe('roles', () => {
  it('keep clinical data from staff', async () => {
    const staff = await joinPractice(app, practice.practiceId, 'staff')
    const nurse = await joinPractice(app, practice.practiceId, 'nurse')
    const authorization = await addOne(find('prior authorization'))
    const withheld = { diagnosisCodes: null, clinicalData: null, procedureCodes: ['73721'] }
    expect((await staff.get(authorization.path)).body).toMatchObject(withheld)
    expect((await staff.get(authorization.path.replace(/\/[^/]+$/, ''))).body[0]).toMatchObject(withheld)
    expect((await nurse.get(authorization.path)).body).toMatchObject({ diagnosisCodes: ['M23.51'] })
    const wipe = await staff.patch(authorization.path, { diagnosisCodes: [] })
    expect(wipe).toMatchObject({ status: 403, body: { errors: [{ path: 'diagnosisCodes' }] } })
    expect((await staff.patch(authorization.path, { notes: 'Faxed' })).body).toMatchObject(withheld)
    const call = await addOne(find('call'))
    expect((await staff.get(call.path)).body).toMatchObject({ transcription: null, callNotes: 'Asked for her inhaler' })
    expect((await staff.get('/api/clinical-documentation')).status).toBe(403)
  })

  it('let doctors approve, not nurses', async () => {
    const nurse = await joinPractice(app, practice.practiceId, 'nurse')
    const doctor = await joinPractice(app, practice.practiceId, 'doctor')
    const { path } = await addOne(find('document'))
    expect((await nurse.patch(path, { status: 'review' })).status).toBe(200)
    expect((await nurse.patch(path, { status: 'approved' })).status).toBe(403)
    expect((await doctor.patch(path, { status: 'approved' })).body).toMatchObject({ providerApproved: true })
  })
})

describe('a status', () => {
  it('asks for what it cannot do without', async () => {
    const { path } = await addOne(find('prior authorization'))
    await practice.client.patch(path, { status: 'submitted' })
    const approve = (body: object) => practice.client.patch(path, { status: 'approved', ...body })
    expect(await approve({ expiresAt: '2027-01-31' })).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'authorizationNumber', message: 'Please enter the authorization number' }] },
    })
    expect(await approve({ authorizationNumber: 'PA-1' })).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'expiresAt' }] },
    })
    const both = { authorizationNumber: 'PA-1', expiresAt: '2027-01-31' }
    expect(await approve(both)).toMatchObject({ status: 200, body: both })
  })
})

describe('an addendum', () => {
  it('belongs to an approved document of the same patient', async () => {
    const { record, path } = await addOne(find('document'))
    const addendum = { documentType: 'addendum', addendumTo: record.id }
    expect((await add(find('document'), addendum)).status).toBe(422)
    for (const status of ['review', 'approved']) await practice.client.patch(path, { status })
    expect(await add(find('document'), addendum)).toMatchObject({ status: 201, body: { addendumTo: record.id } })
    expect((await add(find('document'), { documentType: 'addendum' })).status).toBe(422)
    const change = await practice.client.patch(path, { icdCodes: [] })
    expect(change).toMatchObject({ status: 409, body: { code: 'already-approved' } })
  })
})

describe('the documents of an appointment', () => {
  it('are listed by its id', async () => {
    const { client, patientId } = practice
    const booking = { patientId, type: 'check-up', confirmed: BookingConcern.options }
    const book = async (appointmentDate: string) =>
      (await client.post('/api/appointments', { ...booking, appointmentDate })).body.id as string
    const [first, second] = [await book('2026-12-01T09:00'), await book('2026-12-01T10:00')]
    const { record } = await addOne(find('document'), { appointmentId: first })
    await addOne(find('document'), { appointmentId: second })
    await addOne(find('document'))
    const list = (id: string) => client.get(`/api/clinical-documentation?appointmentId=${id}`)
    expect((await list(first)).body).toMatchObject([{ id: record.id, appointmentId: first }])
    expect((await list('none')).status).toBe(422)
    expect((await other.client.get(`/api/clinical-documentation?appointmentId=${first}`)).body).toEqual([])
    const { body: stranger } = await client.post('/api/patients', { firstName: 'Ines', lastName: 'Costa' })
    const wrong = await add(find('document'), { appointmentId: first, patientId: stranger.id })
    expect(wrong).toMatchObject({ status: 422, problem: { errors: [{ path: 'appointmentId' }] } })
  })
})

describe('a removed patient', () => {
  it('takes along what is about them, not calls of unknown people', async () => {
    const { body: patient } = await practice.client.post('/api/patients', { firstName: 'Ella', lastName: 'Gone' })
    const withPatient = nouns.filter(({ definition }) => definition.patient !== 'none')
    for (const noun of withPatient) await addOne(noun, { patientId: patient.id })
    const unknown = await addOne(find('call'), { patientId: null, callerPhone: '555-0199' })
    expect(unknown.record).toMatchObject({ patientId: null, patientName: null, callNotes: 'Asked for her inhaler' })
    await practice.client.delete(`/api/patients/${patient.id}`)
    for (const { path } of withPatient)
      expect((await practice.client.get(`${path}?patientId=${patient.id}`)).body).toEqual([])
    expect((await practice.client.get('/api/call-logs?search=0199')).body).toMatchObject([{ id: unknown.record.id }])
  })
})

describe('the automation hub', () => {
  it('counts what the lists show', async () => {
    const { client, patientId } = await newPractice()
    const send = async (noun: string, over: object = {}) => {
      const { path, body, definition } = find(noun)
      const patient = definition.patient === 'none' ? {} : { patientId }
      const { body: record } = await client.post(path, { ...body, ...patient, ...over })
      return `${path}/${record.id}`
    }
    const approved = await send('prior authorization')
    await client.patch(approved, { status: 'submitted' })
    await client.patch(approved, { status: 'approved', authorizationNumber: 'PA', expiresAt: '2027-12-31' })
    await send('prior authorization')
    await send('call', { callDuration: 100 })
    await send('call', { callDuration: 51, followUpRequired: false })
    await send('document')
    await send('message', { direction: 'inbound' })
    await send('message', { direction: 'inbound', patientId: null })
    await send('message', { direction: 'outbound' })
    await client.patch(await send('message', { direction: 'inbound' }), { status: 'read' })
    const { body: gone } = await client.post('/api/patients', { firstName: 'Ella', lastName: 'Gone' })
    await send('message', { direction: 'inbound', patientId: gone.id })
    await client.delete(`/api/patients/${gone.id}`)
    const delivered = await send('order')
    await client.patch(delivered, { orderStatus: 'ordered' })
    await client.patch(delivered, { orderStatus: 'delivered' })
    expect((await client.get('/api/automation/stats')).body).toMatchObject({
      priorAuthorizations: { total: 2, approved: 1, pending: 1, denied: 0 },
      callLogs: { total: 2, aiHandled: 0, transferredToHuman: 0, averageDuration: 76, followUps: 1 },
      clinicalDocs: { total: 1, aiGenerated: 0, providerApproved: 0, pending: 1, inReview: 0 },
      supplyOrders: { total: 1, autoOrdered: 0, pending: 0, delivered: 1, proposed: 0 },
      openMessages: 2,
    })
    expect((await client.get('/api/call-logs?followUpRequired=true&status=open')).body).toHaveLength(1)
  })
})

// Last, because it ends the sessions.
describe('the clock', () => {
  it('ends an authorization at the midnight of the practice after its last day', async () => {
    const { path } = await addOne(find('prior authorization'))
    await practice.client.patch(path, { status: 'submitted' })
    const expiry = { status: 'approved', authorizationNumber: 'PA-2', expiresAt: '2026-11-26' }
    await practice.client.patch(path, expiry)
    const expireAll = () => expireRecords(app.services, authorizationExpiry, 'a job', new AbortController().signal)
    // A minute before midnight in New York, then midnight.
    moveClock(new Date('2026-11-27T04:59:00.000Z'))
    await expireAll()
    await practice.signInAgain()
    expect((await practice.client.get(path)).body.status).toBe('approved')
    moveClock(new Date('2026-11-27T05:00:00.000Z'))
    await expireAll()
    await expireAll()
    const { body } = await practice.client.get(path)
    expect(body.status).toBe('expired')
    expect(body.history[0]).toMatchObject({ status: 'expired', by: null })
    const renewed = await practice.client.patch(path, { status: 'approved', expiresAt: '2027-05-31' })
    expect(renewed.body).toMatchObject({ status: 'approved', authorizationNumber: 'PA-2', expiresAt: '2027-05-31' })
  })
})

describe('vital signs', () => {
  const measure = (over: object) => add(find('measurement'), over)

  it('are measured now or earlier, with values that belong together', async () => {
    const now = await measure({
      measuredAt: null,
      systolicPressure: 124,
      diastolicPressure: 82,
      weight: 74.84,
      height: 172.7,
    })
    expect(now).toMatchObject({ status: 201, body: { systolicPressure: 124, bodyMassIndex: 25.1 } })
    expect(Math.abs(Date.parse(now.body.measuredAt) - app.services.clock().getTime())).toBeLessThan(60_000)
    const refused: [object, string][] = [
      [{ temperature: null, heartRate: null }, 'systolicPressure'],
      [{ systolicPressure: 124 }, 'diastolicPressure'],
      [{ systolicPressure: 80, diastolicPressure: 124 }, 'diastolicPressure'],
      [{ temperature: 98.6 }, 'temperature'],
      [{ measuredAt: new Date(app.services.clock().getTime() + 3_600_000).toISOString() }, 'measuredAt'],
    ]
    for (const [values, path] of refused)
      expect(await measure(values)).toMatchObject({ status: 422, body: { errors: [{ path }] } })
  })

  it('are corrected until they are marked as entered in error', async () => {
    const { record, path } = await addOne(find('measurement'))
    const { client } = practice
    expect(await client.patch(path, { heartRate: null, temperature: null })).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'systolicPressure' }] },
    })
    expect((await client.patch(path, { heartRate: 66 })).body).toMatchObject({ heartRate: 66, temperature: 38.25 })
    const wrong = { vitalSignsStatus: 'entered-in-error' }
    expect((await client.patch(path, wrong)).body).toMatchObject(wrong)
    expect(await client.patch(path, { heartRate: 70 })).toMatchObject({
      status: 409,
      body: { code: 'entered-in-error' },
    })
    const listed = await client.get(`/api/vital-signs?patientId=${String(record.patientId)}&status=recorded`)
    expect((listed.body as { id: string }[]).map(({ id }) => id)).not.toContain(record.id)
  })

  it('of an appointment are found by it', async () => {
    const { client, patientId } = practice
    const booking = {
      patientId,
      type: 'check-up',
      confirmed: BookingConcern.options,
      appointmentDate: '2026-12-02T09:00',
    }
    const appointmentId = (await client.post('/api/appointments', booking)).body.id as string
    const { record } = await addOne(find('measurement'), { appointmentId })
    expect((await client.get(`/api/vital-signs?appointmentId=${appointmentId}`)).body).toMatchObject([
      { id: record.id },
    ])
    const { body: stranger } = await client.post('/api/patients', { firstName: 'Ines', lastName: 'Costa' })
    expect(await measure({ appointmentId, patientId: stranger.id })).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'appointmentId' }] },
    })
  })
})

describe('a medication that is given', () => {
  it('is refused while the record names an allergy to it, unless that is said', async () => {
    const { client } = practice
    const person = { firstName: 'Ada', lastName: 'Novak', allergies: ['Penicillin'], allergiesStatus: 'listed' }
    const { body: patient } = await client.post('/api/patients', person)
    const give = (over: object) => add(find('administration'), { patientId: patient.id, ...over })
    const amoxicillin = { kind: 'medication', medication: 'Amoxicillin', dose: '500 mg', route: 'oral' }
    const refused = await give(amoxicillin)
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ path: 'medication' }] } })
    expect(JSON.stringify(refused.body)).toMatch(/allergy to penicillin/i)
    expect((await give({ ...amoxicillin, despiteAllergy: true })).status).toBe(201)
    const ibuprofen = await give({ ...amoxicillin, medication: 'Ibuprofen' })
    expect(ibuprofen.status).toBe(201)
    const path = `/api/medication-administrations/${ibuprofen.body.id}`
    expect((await client.patch(path, { medication: 'Amoxicillin' })).status).toBe(422)
    // The allergy was found by it.
    await client.patch(`/api/patients/${patient.id}`, { allergies: ['Penicillin', 'Ibuprofen'] })
    expect(await client.patch(path, { reaction: 'Hives' })).toMatchObject({ status: 200, body: { reaction: 'Hives' } })
  })

  it('names the lot of a vaccine, and was not expired', async () => {
    expect(await add(find('administration'), { lotNumber: null })).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'lotNumber' }] },
    })
    const expired = { expiresOn: '2026-11-19' }
    expect(await add(find('administration'), expired)).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'expiresOn' }] },
    })
    const later = { administeredAt: new Date(app.services.clock().getTime() + 3_600_000).toISOString() }
    expect(await add(find('administration'), later)).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'administeredAt' }] },
    })
  })
})
