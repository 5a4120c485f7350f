import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Form } from '#contracts/forms.ts'
import { readAllEvents } from '#tests/support/events.ts'
import { joinPractice } from '#tests/support/members.ts'
import { newOwner } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.dispose())

const dateOfBirth = '1957-03-04'
const dayMs = 24 * 3_600_000

/** A form of a patient, a link to it, and a visitor who holds the link. */
async function newLink(person: object = { dateOfBirth }) {
  const { client, practice } = await newOwner(app)
  const patient = await client.post('/api/patients', { firstName: 'Grace', lastName: 'Liu', ...person })
  const patientId = patient.body.id as string
  const form = (await client.post('/api/forms', { patientId, formType: 'consent', title: 'Consent to a biopsy' }))
    .body as Form
  const path = `/api/forms/${form.id}/link`
  const created = await client.post(path)
  const token = String(created.body.url).split('/f/')[1] ?? ''
  const visitor = app.newClient()
  const open = (date = dateOfBirth, of = token) =>
    visitor.post('/api/patient-forms/open', { token: of, dateOfBirth: date })
  const save = (access: string, more: object) => visitor.post('/api/patient-forms/answers', { token, access, ...more })
  const lookUp = (of = token) => visitor.post('/api/patient-forms/look-up', { token: of })
  return { client, practiceId: practice.id, form, patientId, path, created, token, visitor, open, save, lookUp }
}

const answers = {
  procedure: 'Biopsy',
  'explained-by': 'Dr. Chen',
  understood: true,
  agrees: true,
  date: '2026-11-27',
  signature: 'Grace Liu',
}

describe('a form', () => {
  it('is filled in by its patient, over several moments, and handed in', async () => {
    const { client, form, path, created, open, save, lookUp } = await newLink()
    expect(created).toMatchObject({
      status: 201,
      body: { url: expect.stringMatching(/^https:\/\/practice\.example\/f\//) },
    })
    expect(created.body.qr).toMatch(/^<svg/)
    expect((await client.get(path)).body.link).toMatchObject({ state: 'open', expiresAt: created.body.expiresAt })
    expect((await lookUp()).body).toEqual({ practiceName: 'Harbor Clinic', practicePhone: expect.any(String) })

    const opened = await open()
    expect(opened).toMatchObject({ status: 200, body: { title: 'Consent to a biopsy', formData: {} } })
    expect((await client.get(path)).body.link.state).toBe('used')
    const { access } = opened.body
    expect((await save(access, { formData: { procedure: 'Biopsy' } })).body).toEqual({ isSubmitted: false })
    expect((await open()).body.formData).toEqual({ procedure: 'Biopsy' })
    const incomplete = await save(access, { submit: true })
    expect(incomplete).toMatchObject({ status: 422 })
    expect(incomplete.problem?.errors.map(({ path: at }: { path: string }) => at)).toContain('formData.agrees')
    expect((await save(access, { formData: answers, submit: true })).body).toEqual({ isSubmitted: true })

    const analysis = await client.get(`/api/forms/${form.id}/analysis`)
    expect(analysis).toMatchObject({ status: 200, body: { isStale: false } })
    expect((await client.get(`/api/forms/${form.id}`)).body).toMatchObject({ formData: answers, status: 'pending' })
    for (const refused of [await lookUp(), await open(), await save(access, { formData: { procedure: 'None' } })])
      expect(refused).toMatchObject({ status: 410, problem: { code: 'form-submitted' } })
    expect(await client.post(path)).toMatchObject({ status: 409, problem: { code: 'form-closed' } })
  })

  it('is on record as filled in by a visitor of its practice', async () => {
    const { form, open, save } = await newLink()
    const { access } = (await open()).body
    await save(access, { formData: answers, submit: true })
    const events = (await readAllEvents(app.services.store)).filter(({ stream }) => stream.endsWith(form.id))
    const byVisitor = events.filter(({ metadata: { actor } }) => actor.kind === 'process' && actor.name === 'visitor')
    expect(byVisitor.map(({ type }) => type)).toEqual(['FormLinkOpened', 'FormAnswersSaved', 'FormSubmitted'])
    expect(new Set(events.map(({ metadata }) => metadata.practiceId)).size).toBe(1)
  })
})

describe('a link', () => {
  it('is closed by three wrong dates of birth', async () => {
    const { client, path, open, lookUp } = await newLink()
    const tries = [await open('1957-03-05'), await open('1958-03-04'), await open('1957-04-03')]
    expect(tries.map(({ status, problem }) => [status, problem?.code])).toEqual([
      [403, 'wrong-birth-date'],
      [403, 'wrong-birth-date'],
      [410, 'link-closed'],
    ])
    expect(tries[1]?.problem?.message).toContain('One try is left.')
    expect(await open()).toMatchObject({ status: 410, problem: { code: 'link-closed' } })
    expect((await lookUp()).problem?.code).toBe('link-closed')
    expect((await client.get(path)).body.link.state).toBe('closed')
    // A new one works.
    const token = String((await client.post(path)).body.url).split('/f/')[1]
    expect((await open(dateOfBirth, token)).status).toBe(200)
  })

  it('never opens for more than three of many dates that arrive at once', async () => {
    const { open } = await newLink()
    const dates = Array.from({ length: 12 }, (_, index) => `19${60 + index}-01-01`)
    const replies = await Promise.all(dates.map((date) => open(date)))
    expect(replies.filter(({ status }) => status === 403)).toHaveLength(2)
    expect((await open()).status).toBe(410)
  })

  it('is withdrawn at once, also while the patient writes', async () => {
    const { client, path, open, save, lookUp } = await newLink()
    const { access } = (await open()).body
    expect((await client.delete(path)).status).toBe(204)
    for (const refused of [await lookUp(), await open(), await save(access, { formData: { procedure: 'x' } })])
      expect(refused).toMatchObject({ status: 410, problem: { code: 'link-revoked' } })
    expect((await client.get(path)).body.link.state).toBe('revoked')
  })

  it('is replaced by a newer one', async () => {
    const { client, path, open, lookUp } = await newLink()
    const { access } = (await open()).body
    expect(access).toEqual(expect.any(String))
    expect((await client.post(path)).status).toBe(201)
    expect((await lookUp()).problem?.code).toBe('link-replaced')
  })

  it('works for seven days, and the date of birth counts for four hours', async () => {
    const { open, save, lookUp } = await newLink()
    const { access } = (await open()).body
    try {
      app.advanceClock(5 * 3_600_000)
      expect(await save(access, { formData: { procedure: 'x' } })).toMatchObject({
        status: 403,
        problem: { code: 'identify-again' },
      })
      app.advanceClock(7 * dayMs - 5 * 3_600_000)
      expect((await lookUp()).problem?.code).toBe('link-expired')
    } finally {
      app.advanceClock(-7 * dayMs)
    }
  })

  it('is in no event, and opens nothing with another text', async () => {
    const { token, visitor, lookUp } = await newLink()
    const [form = '', secret = ''] = token.split('.')
    const stored = JSON.stringify((await readAllEvents(app.services.store)).map(({ data }) => data))
    expect(stored).not.toContain(secret)
    for (const wrong of ['x', form, `${form}.`, `${form}.${secret.slice(1)}`, `${'A'.repeat(22)}.${secret}`])
      expect(await lookUp(wrong)).toMatchObject({ status: 404 })
    expect(await visitor.post('/api/patient-forms/look-up', { token: '' })).toMatchObject({ status: 422 })
    expect(await visitor.post('/api/patient-forms/open', { token, dateOfBirth: '1957-02-30' })).toMatchObject({
      status: 422,
    })
  })

  it('is not made for a patient who has died', async () => {
    const { client, patientId, path } = await newLink()
    await client.patch(`/api/patients/${patientId}`, { deceasedOn: '2026-01-05' })
    expect(await client.post(path)).toMatchObject({
      status: 409,
      problem: { code: 'patient-deceased', message: 'This patient is recorded as deceased.' },
    })
  })

  it('needs a patient with a date of birth, who was not removed', async () => {
    const { created } = await newLink({})
    expect(created).toMatchObject({ status: 409, problem: { code: 'birth-date-missing' } })
    const { client, patientId, lookUp } = await newLink()
    expect((await client.delete(`/api/patients/${patientId}`)).status).toBe(204)
    expect((await lookUp()).status).toBe(410)
  })

  it('is created by users who may change patients, in their own practice', async () => {
    const { practiceId, path } = await newLink()
    const stranger = (await newOwner(app)).client
    for (const reply of [await stranger.post(path), await stranger.get(path), await stranger.delete(path)])
      expect(reply.status).toBe(404)
    expect((await (await joinPractice(app, practiceId, 'staff')).post(path)).status).toBe(201)
    expect((await (await joinPractice(app, practiceId, 'reviewer')).post(path)).status).toBe(403)
  })
})
