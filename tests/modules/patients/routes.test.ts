import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Patient } from '#contracts/patients.ts'
import { joinPractice } from '#tests/support/members.ts'
import { readStream } from '#tests/support/events.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { type Clinic, newClinic } from './clinic.ts'
import { grace } from './patient-fixtures.ts'

let app: TestApp
let clinic: Clinic
beforeAll(async () => {
  app = await startTestApp()
  clinic = await newClinic(app)
})
afterAll(() => app.dispose())

const address = (patient: { id: string }) => `/api/patients/${patient.id}`
const everything = { ...grace, phone: '(617) 555-0123' }

describe('adding a patient', () => {
  it('replies with all fields as they are stored', async () => {
    const { client, practiceId } = await newClinic(app)
    const answer = await client.post('/api/patients', everything)
    expect(answer.status).toBe(201)
    expect(Patient.parse(answer.body)).toEqual(answer.body)
    expect(answer.body).toMatchObject({
      ...grace,
      practiceId,
      phone: '+16175550123',
      phoneNational: '(617) 555-0123',
      importId: null,
      revision: 0,
    })
    expect((await client.get(address(answer.body))).body).toEqual(answer.body)
    expect((await client.get('/api/patients')).body).toEqual([answer.body])
  })

  it('needs only a name; an empty text is null', async () => {
    const patient = await clinic.add({
      firstName: ' Mary  Ann ',
      lastName: 'Only',
      dateOfBirth: '',
      gender: null,
      email: '',
      phone: '',
      address: null,
      emergencyContact: null,
      notes: '',
    })
    expect(patient).toMatchObject({ firstName: 'Mary Ann', dateOfBirth: null, email: null, phone: null, notes: null })
    expect(patient).toMatchObject({ allergies: [], medications: [], medicalHistory: null, insuranceInfo: null })
  })

  const long = 'x'.repeat(100_000)
  const tomorrow = new Date(Date.now() + 48 * 3_600_000).toISOString().slice(0, 10)
  it.each<[string, Record<string, unknown>]>([
    ['firstName', { firstName: '' }],
    ['firstName', { firstName: '   ' }],
    ['firstName', { firstName: long }],
    ['firstName', { firstName: 'A\u0000B' }],
    ['firstName', { firstName: '\uD800' }],
    ['firstName', { firstName: 7 }],
    ['lastName', { lastName: null }],
    ['lastName', { lastName: 'x'.repeat(101) }],
    ['dateOfBirth', { dateOfBirth: '2023-02-30' }],
    ['dateOfBirth', { dateOfBirth: '1899-12-31' }],
    ['dateOfBirth', { dateOfBirth: tomorrow }],
    ['dateOfBirth', { dateOfBirth: '24.2.1996' }],
    ['deceasedOn', { dateOfBirth: '2000-01-02', deceasedOn: '2000-01-01' }],
    ['gender', { gender: 'robot' }],
    ['email', { email: 'grace@' }],
    ['phone', { phone: 'after 617 555 0123' }],
    ['phone', { phone: '91' }],
    ['emergencyContact.name', { emergencyContact: { name: '' } }],
    ['insuranceInfo.provider', { insuranceInfo: { provider: ' ' } }],
    ['insuranceInfo.x', { insuranceInfo: { provider: 'A', x: 1 } }],
    ['allergies', { allergies: 'Nuts' }],
    ['allergies.0', { allergies: [''] }],
    ['medications.0.name', { medications: [{ dosage: '1' }] }],
    ['medicalHistory', { medicalHistory: 'x'.repeat(20_001) }],
    ['ssn', { ssn: '123-45-6789' }],
    ['id', { id: randomUUID() }],
    ['practiceId', { practiceId: randomUUID() }],
  ])('names the field at fault: %s', async (path, fields) => {
    const before = await clinic.client.get('/api/patients')
    const answer = await clinic.client.post('/api/patients', { firstName: 'Ann', lastName: 'Wrong', ...fields })
    expect(answer.status).toBe(422)
    expect(answer.headers.get('content-type')).toContain('application/problem+json')
    expect(answer.problem.errors[0]?.path).toBe(path)
    expect(answer.problem.errors[0]?.message).toBeTruthy()
    expect((await clinic.client.get('/api/patients')).headers.get('x-total-count')).toBe(
      before.headers.get('x-total-count'),
    )
  })

  it.each(['null', '[]', '"x"', '7', '{', '', `${'['.repeat(50_000)}${']'.repeat(50_000)}`])(
    'refuses a body that is none (%#)',
    async (text) => {
      const answer = await clinic.client.sendRaw('POST', '/api/patients', text, { 'content-type': 'application/json' })
      expect([400, 422]).toContain(answer.status)
    },
  )

  it('uses the practice’s local date', async () => {
    const at = (timeZone: string) => new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date())
    const [east, west] = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'] as const
    // 25 hours apart: it is never the same day at both.
    const body = { firstName: 'New', lastName: 'Born', dateOfBirth: at(east) }
    expect((await (await newClinic(app, { timezone: east })).client.post('/api/patients', body)).status).toBe(201)
    const refused = await (await newClinic(app, { timezone: west })).client.post('/api/patients', body)
    expect(refused.status).toBe(422)
    expect(refused.problem.errors).toEqual([{ path: 'dateOfBirth', message: 'Must not be in the future' }])
  })

  it('keeps the extension of a phone number, and a number that cannot be dialed as it was typed', async () => {
    const { add } = await newClinic(app)
    expect(await add({ phone: '(212) 555-0123 x45' })).toMatchObject({
      phone: '+12125550123;ext=45',
      phoneNational: '(212) 555-0123 ext. 45',
    })
    expect(await add({ phone: '0044 7700 900123' })).toMatchObject({ phone: '+447700900123' })
    expect(await add({ phone: ' 555-0123 ' })).toMatchObject({ phone: '555-0123', phoneNational: '555-0123' })
  })

  it('reads phones as people of the practice’s country write them', async () => {
    const { add } = await newClinic(app, { phone: '+49 30 901820' })
    expect(await add({ phone: '030 901821' })).toMatchObject({ phone: '+4930901821', phoneNational: '030 901821' })
  })
})

describe('changing a patient', () => {
  it('changes what is sent and nothing else', async () => {
    const mine = await clinic.add({ ...everything, lastName: 'Changer', email: 'c@x.example', phone: '617 555 0177' })
    const answer = await clinic.client.patch(address(mine), {
      phone: '617 555 0178',
      notes: '',
      revision: mine.revision,
    })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      ...mine,
      phone: '+16175550178',
      phoneNational: '(617) 555-0178',
      notes: null,
      revision: 2,
      updatedAt: answer.body.updatedAt,
    })
    const types = (await readStream(app.services.store, `patient-${mine.id}`)).map(({ type }) => type)
    expect(types).toEqual(['PatientRegistered', 'PatientContactChanged', 'PatientNotesChanged'])
  })

  it('records nothing when nothing differs', async () => {
    const mine = await clinic.add({ lastName: 'Same', dateOfBirth: '1990-01-01' })
    const answer = await clinic.client.patch(address(mine), { lastName: 'Same', dateOfBirth: '1990-01-01' })
    expect(answer).toMatchObject({ status: 200, body: mine })
  })

  it.each([null, ''])('clears with %j', async (nothing) => {
    const mine = await clinic.add({
      ...everything,
      lastName: `Clear${randomUUID()}`,
      email: `${randomUUID()}@x.example`,
      phone: null,
    })
    const cleared = { dateOfBirth: nothing, gender: nothing, email: nothing, address: nothing, medicalHistory: nothing }
    const answer = await clinic.client.patch(address(mine), {
      ...cleared,
      emergencyContact: nothing,
      insuranceInfo: nothing,
    })
    expect(answer.body).toMatchObject({
      dateOfBirth: null,
      gender: null,
      email: null,
      address: null,
      medicalHistory: null,
    })
    expect(answer.body).toMatchObject({ emergencyContact: null, insuranceInfo: null })
  })

  it('on a stale revision is refused with the conflicting changes', async () => {
    const mine = await clinic.add({ lastName: 'Stale' })
    const nurse = await joinPractice(app, clinic.practiceId, 'nurse')
    await nurse.patch(address(mine), { notes: 'first', allergies: ['Nuts'] })
    await nurse.patch(address(mine), { notes: 'second' })
    const answer = await clinic.client.patch(address(mine), { address: 'Here', revision: mine.revision })
    expect(answer).toMatchObject({ status: 409, problem: { code: 'changed-meanwhile' } })
    expect(answer.body.changes).toEqual([
      { field: 'allergies', value: ['Nuts'], by: 'Ada Okafor', at: expect.any(String) },
      { field: 'notes', value: 'second', by: 'Ada Okafor', at: expect.any(String) },
    ])
    const staff = await joinPractice(app, clinic.practiceId, 'staff')
    const less = await staff.patch(address(mine), { address: 'Here', revision: mine.revision })
    expect(less.body.changes.map(({ field }: { field: string }) => field)).toEqual(['notes'])
    expect((await clinic.client.patch(address(mine), { address: 'Here', revision: 99 })).status).toBe(409)
    expect((await clinic.client.get(address(mine))).body.address).toBeNull()
  })

  it('takes what was made at the same moment by two, or refuses one', async () => {
    const mine = await clinic.add({ lastName: 'Twice' })
    const answers = await Promise.all(
      ['a', 'b', 'c'].map((notes) => clinic.client.patch(address(mine), { notes, revision: mine.revision })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  })

  it.each([
    ['lastName', { lastName: '' }],
    ['phone', { phone: '1' }],
    ['deceasedOn', { deceasedOn: '1950-01-01' }],
    ['revision', { revision: -1 }],
    ['unknown', { unknown: 1 }],
  ])('names the field at fault: %s', async (path, fields) => {
    const mine = await clinic.add({ lastName: randomUUID(), dateOfBirth: '1990-01-01' })
    const answer = await clinic.client.patch(address(mine), fields)
    expect(answer.status).toBe(422)
    expect(answer.problem.errors[0]?.path).toBe(path)
  })
})

describe('removing a patient', () => {
  it('takes it off every list; what happened stays', async () => {
    const mine = await clinic.add({ lastName: 'Goner' })
    const removed = await clinic.client.delete(address(mine))
    expect(removed).toMatchObject({ status: 204, body: '' })
    for (const answer of [
      await clinic.client.get(address(mine)),
      await clinic.client.patch(address(mine), { notes: 'x' }),
      await clinic.client.patch(address(mine), { notes: 'x', revision: 0 }),
      await clinic.client.delete(address(mine)),
    ])
      expect(answer).toMatchObject({ status: 404, problem: { code: 'not-found' } })
    expect(await clinic.names('search=goner')).toEqual([])
    expect(await readStream(app.services.store, `patient-${mine.id}`)).toHaveLength(2)
  })
})

describe('another user', () => {
  it('of another practice sees and changes nothing', async () => {
    const mine = await clinic.add({ lastName: 'Private' })
    const { client, names } = await newClinic(app)
    for (const id of [mine.id, randomUUID(), 'x', '1', '%00'])
      for (const answer of [
        await client.get(`/api/patients/${id}`),
        await client.patch(`/api/patients/${id}`, { notes: 'x' }),
        await client.patch(`/api/patients/${id}`, { notes: 'x', revision: 5 }),
        await client.delete(`/api/patients/${id}`),
      ])
        expect(answer.status).toBe(404)
    expect(await names('')).toEqual([])
    expect(await names('search=private')).toEqual([])
    expect((await client.post('/api/patients', { firstName: 'Ann', lastName: 'Private' })).status).toBe(201)
    expect((await clinic.client.get(address(mine))).body).toEqual(mine)
  })

  it('who is staff neither reads nor writes what is clinical', async () => {
    const mine = await clinic.add({ ...everything, lastName: 'Clinical', email: 'k@x.example', phone: '617 555 0144' })
    const staff = await joinPractice(app, clinic.practiceId, 'staff')
    const seen = await staff.get(address(mine))
    expect(seen.status).toBe(200)
    for (const field of ['medicalHistory', 'allergies', 'allergiesStatus', 'medications']) {
      expect(seen.body).not.toHaveProperty(field)
      for (const patient of (await staff.get('/api/patients?search=clinical')).body)
        expect(patient).not.toHaveProperty(field)
      for (const value of [null, [], 'x', 'none-known']) {
        const isText = field === 'medicalHistory' || field === 'allergiesStatus'
        if (isText === Array.isArray(value) || (field === 'allergiesStatus' && value === 'x')) continue
        const refused = await staff.patch(address(mine), { [field]: value })
        expect(refused).toMatchObject({ status: 403, problem: { errors: [{ path: field }] } })
        const added = await staff.post('/api/patients', { firstName: 'A', lastName: 'B', [field]: value })
        expect(added).toMatchObject({ status: 403, problem: { errors: [{ path: field }] } })
      }
    }
    const changed = await staff.patch(address(mine), { notes: 'Moved' })
    expect(changed.status).toBe(200)
    expect(changed.body).not.toHaveProperty('allergies')
    const added = await staff.post('/api/patients', { firstName: 'By', lastName: 'Staff' })
    expect(added.status).toBe(201)
    expect(added.body).not.toHaveProperty('medications')
    expect((await clinic.client.get(address(mine))).body).toMatchObject({ allergies: ['Penicillin'], notes: 'Moved' })
  })

  it('has allergies that are unknown, none known or listed', async () => {
    const mine = await clinic.add({ lastName: 'Asked' })
    expect(mine).toMatchObject({ allergies: [], allergiesStatus: 'unknown' })
    const patch = (change: object) => clinic.client.patch(address(mine), change)
    const asked = await patch({ allergiesStatus: 'none-known' })
    expect(asked.body).toMatchObject({ allergies: [], allergiesStatus: 'none-known' })
    expect((await clinic.client.get(address(mine))).body).toMatchObject({ allergiesStatus: 'none-known' })
    expect((await patch({ allergies: ['Latex'] })).body).toMatchObject({ allergiesStatus: 'listed' })
    expect(await patch({ allergiesStatus: 'none-known' })).toMatchObject({
      status: 422,
      problem: { errors: [{ path: 'allergiesStatus', message: 'Remove the listed allergies first' }] },
    })
    const cleared = await patch({ allergies: null, allergiesStatus: 'none-known' })
    expect(cleared.body).toMatchObject({ allergies: [], allergiesStatus: 'none-known' })
    expect((await patch({ allergiesStatus: '' })).body).toMatchObject({ allergiesStatus: 'unknown' })
    expect(await clinic.add({ lastName: 'Healthy', allergiesStatus: 'none-known' })).toMatchObject({
      allergiesStatus: 'none-known',
    })
  })

  it.each(['nurse', 'doctor', 'administrator'] as const)('who is a %s reads and writes it', async (role) => {
    const by = await joinPractice(app, clinic.practiceId, role)
    const mine = await clinic.add({ lastName: `For ${role}`, allergies: ['Nuts'] }, by)
    const changed = await by.patch(address(mine), { allergies: ['Nuts', 'Milk', 'Nuts'], medicalHistory: 'Asthma' })
    expect(changed.body).toMatchObject({ allergies: ['Nuts', 'Milk'], medicalHistory: 'Asthma' })
  })

  it('who is signed out is asked to sign in', async () => {
    const visitor = app.newClient()
    expect((await visitor.get('/api/patients')).status).toBe(401)
    expect((await visitor.post('/api/patients', { firstName: 'A', lastName: 'B' })).status).toBe(401)
  })
})
