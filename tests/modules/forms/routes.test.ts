import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Form } from '#contracts/forms.ts'
import type { Client } from '#tests/support/client.ts'
import { joinPractice } from '#tests/support/members.ts'
import { newOwner } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { waitUntil } from '#tests/support/wait-until.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.dispose())

/** A practice with a patient, and a way to create forms of that patient. */
async function newPractice() {
  const { client, practice, user } = await newOwner(app)
  const patient = await client.post('/api/patients', { firstName: 'Fatima', lastName: 'Bennani' })
  const patientId = patient.body.id as string
  const create = async (over: object = {}, sender: Client = client) =>
    await sender.post('/api/forms', { patientId, formType: 'consent', title: 'Consent for procedure', ...over })
  return { client, practice, user, patientId, create }
}

const phq9 = (answers: readonly number[]) =>
  Object.fromEntries(answers.map((value, index) => [`phq9-${index + 1}`, value]))

describe('a form', () => {
  it('is created, filled in, handed in, analyzed, reviewed and completed', async () => {
    const { client, create, patientId, user } = await newPractice()
    const created = await create({ formType: 'assessment', title: 'PHQ-9' })
    expect(created).toMatchObject({
      status: 201,
      body: { patientId, patientName: 'Fatima Bennani', status: 'pending', analysisState: 'none', submittedAt: null },
    })
    expect(created.body).not.toHaveProperty('aiAnalysis')
    const path = `/api/forms/${created.body.id}`
    const draft = await client.patch(path, { formData: phq9([1, 1]) })
    expect(draft.body).toMatchObject({ formData: { 'phq9-1': 1, 'phq9-2': 1 }, submittedAt: null })
    const sent = await client.patch(path, { formData: phq9([1, 1, 0, 0, 0, 0, 0, 0, 1]), submit: true })
    expect(sent.status).toBe(200)
    expect(sent.body.submittedAt).not.toBeNull()

    const analysis = await client.get(`${path}/analysis`)
    expect(analysis.status).toBe(200)
    expect(analysis.body).toMatchObject({ analyst: 'rules', model: null, isStale: false })
    expect(analysis.body.scores).toEqual([{ instrument: 'PHQ-9', answered: 9, items: 9, total: 3, band: 'Minimal' }])
    // Item 9 is urgent whatever the total.
    expect(analysis.body.findings).toContainEqual(expect.objectContaining({ severity: 'urgent' }))

    expect((await client.patch(path, { status: 'reviewed' })).body).toMatchObject({
      status: 'reviewed',
      reviewedBy: { id: user.id },
    })
    expect((await client.patch(path, { status: 'completed' })).body).toMatchObject({ status: 'completed' })
    const closed = await client.patch(path, { formData: phq9([3]) })
    expect(closed).toMatchObject({ status: 409, problem: { code: 'form-closed' } })
    expect((await client.get('/api/forms/counts')).body).toEqual({
      analyzed: 1,
      running: 0,
      pendingReview: 0,
      completed: 1,
      completedThisWeek: 1,
    })
  })

  it('that is created with answers is handed in, and analyzed by itself', async () => {
    const { client, create } = await newPractice()
    const { body } = await create({ formType: 'assessment', formData: phq9([0, 0, 0, 0, 0, 0, 0, 0, 0]) })
    expect(body.submittedAt).not.toBeNull()
    await waitUntil(
      () => client.get(`/api/forms/${body.id}`),
      (answer) => answer.body.analysisState === 'complete',
    )
  })

  it('is analyzed on request only where the practice has switched off that it runs by itself', async () => {
    const { client, create } = await newPractice()
    await client.patch('/api/automation/switches', { automation: 'form-analysis', isOn: false })
    const { body } = await create({ formType: 'assessment', formData: phq9([0, 0, 0, 0, 0, 0, 0, 0, 0]) })
    await waitUntil(
      () => client.get(`/api/forms/${body.id}`),
      (answer) => answer.body.analysisState === 'skipped',
    )
    expect((await client.get('/api/forms/counts')).body).toMatchObject({ analyzed: 0, running: 0 })
    expect(await client.get(`/api/forms/${body.id}/analysis`)).toMatchObject({ status: 200, body: { isStale: false } })
    expect((await client.get(`/api/forms/${body.id}`)).body.analysisState).toBe('complete')
  })

  it('has one analysis per version, which is stale when an answer changes', async () => {
    const { client, create } = await newPractice()
    const { body } = await create({ formType: 'assessment' })
    const path = `/api/forms/${body.id}`
    await client.patch(path, { formData: phq9([1]) })
    const [one, other] = await Promise.all([client.get(`${path}/analysis`), client.get(`${path}/analysis`)])
    expect([one.status, other.status, one.body.analyzedAt]).toEqual([200, 200, other.body.analyzedAt])
    await client.patch(path, { formData: phq9([2]) })
    expect((await client.get(path)).body).toMatchObject({ analysisState: 'complete', aiAnalysis: { isStale: true } })
    expect((await client.get(`${path}/analysis`)).body).toMatchObject({ isStale: false })
    const { rows } = await app.services.pool.query(
      `select count(*)::int4 as n from es.events where type = 'FormAnalyzed' and stream = $1`,
      [`form-${body.id}`],
    )
    expect(rows).toEqual([{ n: 2 }])
  })

  it('is refused with the answer at fault', async () => {
    const { client, create } = await newPractice()
    const { body } = await create({ formType: 'assessment' })
    const path = `/api/forms/${body.id}`
    const at = async (formData: object) => {
      const { status, problem } = await client.patch(path, { formData })
      return [status, status === 200 ? undefined : problem.errors[0]?.path]
    }
    expect(await at({ 'phq9-1': 4 })).toEqual([422, 'formData.phq9-1'])
    expect(await at({ 'phq9-1': 1.5 })).toEqual([422, 'formData.phq9-1'])
    expect(await at({ 'a key with spaces': 'x' })).toEqual([422, 'formData.a key with spaces'])
    expect(await at({ 'x.y_z-1': 'kept as another answer' })).toEqual([200, undefined])
    expect((await client.get(path)).body.formData).toEqual({ 'x.y_z-1': 'kept as another answer' })
    expect((await create({ title: ' ' })).problem.errors[0]?.path).toBe('title')
    expect((await create({ formType: 'other' })).problem.errors[0]?.path).toBe('formType')
    expect((await client.patch(path, { status: 'reviewed' })).problem.code).toBe('form-not-submitted')
  })

  it('that another user has changed is refused with what changed, but not for its analysis', async () => {
    const { client, create, practice } = await newPractice()
    const nurse = await joinPractice(app, practice.id, 'nurse')
    const { body } = await create({ formType: 'assessment', formData: phq9([0, 0, 0, 0, 0, 0, 0, 0, 0]) })
    const path = `/api/forms/${body.id}`
    await client.get(`${path}/analysis`)
    const kept = await client.patch(path, { formData: { note: 'x' }, revision: body.revision })
    expect(kept.status).toBe(200)
    const stale = await nurse.patch(path, { formData: { note: 'y' }, revision: body.revision })
    expect(stale).toMatchObject({
      status: 409,
      problem: { code: 'changed-meanwhile', changes: [{ field: 'note', value: 'x' }] },
    })
  })

  it('is not shown when its patient was removed', async () => {
    const { client, create, patientId } = await newPractice()
    const { body } = await create()
    expect((await client.get('/api/forms')).body).toHaveLength(1)
    await client.delete(`/api/patients/${patientId}`)
    expect((await client.get('/api/forms')).body).toEqual([])
    expect((await client.get(`/api/forms/${body.id}`)).status).toBe(404)
  })
})

describe('the list', () => {
  it('is filtered, searched and paged, newest first', async () => {
    const { client, create } = await newPractice()
    const other = await client.post('/api/patients', { firstName: 'Robert', lastName: 'Hayes' })
    for (const [index, formType] of (['intake', 'consent', 'insurance'] as const).entries())
      await create({ formType, title: `Form ${index}`, ...(index === 2 ? { patientId: other.body.id } : {}) })
    const titles = async (query: string) =>
      (await client.get(`/api/forms?${query}`)).body.map(({ title }: Form) => title)
    expect(await titles('')).toEqual(['Form 2', 'Form 1', 'Form 0'])
    expect(await titles('type=consent')).toEqual(['Form 1'])
    expect(await titles('search=hay rob')).toEqual(['Form 2'])
    expect(await titles('search=100%25')).toEqual([])
    expect(await titles(`patientId=${other.body.id}`)).toEqual(['Form 2'])
    expect(await titles('status=completed')).toEqual([])
    const first = await client.get('/api/forms?limit=2')
    expect([first.headers.get('x-total-count'), first.body.length]).toEqual(['3', 2])
    const next = /<([^>]+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
    const second = await client.get(next)
    expect([second.body.map(({ title }: Form) => title), second.headers.get('link')]).toEqual([['Form 0'], null])
    expect((await client.get('/api/forms?cursor=x')).problem.errors[0]?.path).toBe('cursor')
    for (const form of first.body) expect(form).not.toHaveProperty('formData')
  })

  it('has the templates of all types', async () => {
    const { client } = await newPractice()
    const { body } = await client.get('/api/form-templates')
    expect(body.map(({ formType }: { formType: string }) => formType).toSorted()).toEqual([
      'assessment',
      'consent',
      'insurance',
      'intake',
      'medical-history',
    ])
    expect((await client.get('/api/form-templates?formType=intake&version=1')).body).toHaveLength(1)
    expect((await client.get('/api/form-templates?formType=intake&version=99')).status).toBe(404)
  })
})

describe('roles', () => {
  it('without clinical data see that there is a form, not what it says, and fill in other types', async () => {
    const { create, practice } = await newPractice()
    const staff = await joinPractice(app, practice.id, 'staff')
    const { body } = await create({ formType: 'assessment', formData: phq9([3, 3, 3, 3, 3, 3, 3, 3, 3]) })
    const seen = await staff.get(`/api/forms/${body.id}`)
    expect(seen).toMatchObject({ status: 200, body: { status: 'pending', hasUrgentFinding: false, findingCount: 0 } })
    expect(seen.body).not.toHaveProperty('formData')
    expect(seen.body).not.toHaveProperty('aiAnalysis')
    expect((await staff.patch(`/api/forms/${body.id}`, { formData: phq9([0]) })).status).toBe(403)
    expect((await staff.patch(`/api/forms/${body.id}`, { status: 'reviewed' })).status).toBe(403)
    expect((await staff.get(`/api/forms/${body.id}/analysis`)).status).toBe(403)
    const consent = await create({}, staff)
    expect((await staff.patch(`/api/forms/${consent.body.id}`, { formData: { note: 'seen' } })).body).toMatchObject({
      formData: { note: 'seen' },
    })
  })

  it('of a reviewer read, and start no analysis', async () => {
    const { create, practice } = await newPractice()
    const reviewer = await joinPractice(app, practice.id, 'reviewer')
    const { body } = await create({ formType: 'assessment' })
    expect((await reviewer.get(`/api/forms/${body.id}/analysis`)).body).toEqual({ state: 'none' })
    expect((await reviewer.get(`/api/forms/${body.id}`)).body.analysisState).toBe('none')
    expect((await reviewer.patch(`/api/forms/${body.id}`, { formData: {} })).status).toBe(403)
  })
})

it('belongs to its practice', async () => {
  const { create, patientId } = await newPractice()
  const { body } = await create()
  const { client: other } = await newOwner(app)
  expect((await other.get(`/api/forms/${body.id}`)).status).toBe(404)
  expect((await other.patch(`/api/forms/${body.id}`, { status: 'completed' })).status).toBe(404)
  expect((await other.get(`/api/forms/${body.id}/analysis`)).status).toBe(404)
  expect((await other.get(`/api/forms?patientId=${patientId}`)).body).toEqual([])
  expect((await other.post('/api/forms', { patientId, formType: 'consent', title: 'x' })).status).toBe(404)
})
