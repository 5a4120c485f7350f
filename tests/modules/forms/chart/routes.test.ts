import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readStream } from '#tests/support/events.ts'
import { joinPractice } from '#tests/support/members.ts'
import { newOwner } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.dispose())

const answers = {
  reason: 'Cough',
  'has-allergies': true,
  allergies: 'Penicillin, latex',
  medicines: 'Metformin 500 mg twice a day',
  smokes: false,
  phone: '(617) 555-0123',
  'emergency-contact-name': 'Tom',
  'emergency-contact-phone': '(617) 555-0199',
  signature: 'Grace Liu',
}

async function newIntake(chart: object = {}) {
  const { client, practice } = await newOwner(app)
  const person = { firstName: 'Grace', lastName: 'Liu', ...chart }
  const patientId = (await client.post('/api/patients', person)).body.id as string
  const form = (await client.post('/api/forms', { patientId, formType: 'intake', title: 'Intake', formData: answers }))
    .body
  const path = `/api/forms/${form.id}/chart`
  const accept = (field: string, value: string, sender = client) => sender.post(path, { field, value })
  const getPatient = async () => (await client.get(`/api/patients/${patientId}`)).body
  return { client, practiceId: practice.id, patientId, formId: form.id as string, path, accept, getPatient }
}

const fieldsOf = (reply: { body: readonly { field: string }[] }) => reply.body.map(({ field }) => field)

describe('a submitted intake', () => {
  it('is taken over into the chart line by line, as changes of the patient that the form causes', async () => {
    const { client, formId, patientId, path, accept, getPatient } = await newIntake({ allergies: ['Latex'] })
    const offered = await client.get(path)
    expect(fieldsOf(offered)).toEqual(['medications', 'allergies', 'phone'])
    expect(fieldsOf(await accept('allergies', 'Penicillin'))).toEqual(['medications', 'phone'])
    expect(fieldsOf(await accept('medications', answers.medicines))).toEqual(['phone'])
    expect((await accept('phone', answers.phone)).body).toEqual([])
    expect(await getPatient()).toMatchObject({
      allergies: ['Latex', 'Penicillin'],
      medications: [{ name: 'Metformin', dosage: '500 mg', frequency: 'twice a day' }],
      phone: '+16175550123',
    })
    const form = await readStream(app.services.store, `form-${formId}`)
    const submission = form.find(({ type }) => type === 'FormSubmitted')
    const changes = (await readStream(app.services.store, `patient-${patientId}`)).slice(1)
    expect(changes.length).toBeGreaterThanOrEqual(3)
    expect(new Set(changes.map(({ metadata }) => metadata.causationId))).toEqual(new Set([submission?.id]))
    expect(changes.every(({ metadata: { actor } }) => actor.kind === 'user')).toBe(true)
  })

  it('changes nothing twice, also on two clicks at once', async () => {
    const { accept, getPatient } = await newIntake()
    const replies = await Promise.all([accept('allergies', 'Penicillin'), accept('allergies', 'Penicillin')])
    expect(replies.every(({ status }) => status === 200 || status === 409)).toBe(true)
    expect((await accept('allergies', 'Penicillin')).status).toBe(200)
    expect((await getPatient()).allergies).toEqual(['Penicillin'])
  })

  it('offers nothing once it is completed, nor what it does not say', async () => {
    const { client, formId, path, accept, getPatient } = await newIntake()
    expect(await accept('allergies', 'Peanuts')).toMatchObject({ status: 409, problem: { code: 'line-changed' } })
    expect(await accept('notes', 'x')).toMatchObject({ status: 422 })
    await client.patch(`/api/forms/${formId}`, { status: 'completed' })
    expect((await client.get(path)).body).toEqual([])
    expect(await accept('allergies', 'Penicillin')).toMatchObject({ status: 409, problem: { code: 'line-changed' } })
    expect((await getPatient()).allergies).toEqual([])
  })

  it('is shown to clinical staff of its practice only', async () => {
    const { practiceId, path, accept } = await newIntake()
    const nurse = await joinPractice(app, practiceId, 'nurse')
    expect((await nurse.get(path)).status).toBe(200)
    const receptionist = await joinPractice(app, practiceId, 'staff')
    expect((await receptionist.get(path)).status).toBe(403)
    expect((await accept('allergies', 'Penicillin', receptionist)).status).toBe(403)
    const stranger = (await newOwner(app)).client
    expect((await stranger.get(path)).status).toBe(404)
    expect((await accept('allergies', 'Penicillin', stranger)).status).toBe(404)
  })
})
