import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AiInsight } from '#contracts/insights.ts'
import { subscribe, waitForUserSubscription } from '#tests/support/billing.ts'
import type { Client } from '#tests/support/client.ts'
import { joinPractice } from '#tests/support/members.ts'
import { password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { newSchedulingPractice } from '#tests/modules/appointments/scheduling-practice.ts'
import { itLong } from '#tests/support/long.ts'

let app: TestApp
const [hourMs, dayMs] = [3_600_000, 86_400_000]

beforeAll(async () => {
  app = await startTestApp()
  app.advanceClock(Date.parse('2031-03-10T15:00:00.000Z') - Date.now())
})
afterAll(() => app.dispose())

/** Creates a practice whose plan includes insights; its first patient can be reached. */
async function newInsightPractice() {
  const fixture = await newSchedulingPractice(app, { timezone: 'America/New_York' })
  const { client } = fixture
  await client.patch(`/api/patients/${fixture.patientId}`, { phone: '617 555 0142' })
  await subscribe(client, 'professional')
  await waitForUserSubscription(client, 'trial')
  const list = async () => (await client.get('/api/ai/insights')).body as AiInsight[]
  const count = async () => (await client.get('/api/dashboard/stats')).body.aiInsights as number
  const decide = (id: string, decision: string, body?: object) =>
    client.post(`/api/ai/insights/${id}/${decision}`, body)
  /** Adds a patient, and returns the id. */
  const addPatient = async (fields: object) => (await client.post('/api/patients', fields)).body.id as string
  /** Runs checks at a later time, when the session has ended. */
  async function after(durationMs: number, check: () => Promise<void>): Promise<void> {
    const signIn = () => client.post('/api/login', { email: fixture.registration.email, password })
    app.advanceClock(durationMs)
    try {
      await signIn()
      await check()
    } finally {
      app.advanceClock(-durationMs)
      await signIn()
    }
  }
  return { ...fixture, list, count, decide, addPatient, after }
}

describe('the coverage of an appointment', () => {
  const policy = { insuranceProvider: 'Summit Mutual', policyNumber: 'SM-1' }

  it('is what the verifications say about its date', async () => {
    const { client, patientId, book } = await newInsightPractice()
    const verify = async (over: object) =>
      (await client.post('/api/insurance/verify', { patientId, ...policy, ...over })).body.id as string
    const inMarch = await book('2031-03-20T23:30')
    const inApril = await book('2031-04-02T09:00')
    const coverageOf = async ({ id }: { id: string }) => (await client.get(`/api/appointments/${id}`)).body.coverage
    expect(await coverageOf(inMarch)).toEqual({ status: 'unknown', verificationId: null, isOtherPolicy: false })

    const first = await verify({
      verificationStatus: 'verified',
      eligibilityDate: '2031-01-01',
      expiryDate: '2031-03-20',
    })
    expect(await coverageOf(inMarch)).toMatchObject({ status: 'covered', verificationId: first })
    expect(await coverageOf(inApril)).toMatchObject({ status: 'not-covered', verificationId: first })

    const next = await verify({ eligibilityDate: '2031-03-21' })
    expect(await coverageOf(inApril)).toMatchObject({ status: 'unknown', verificationId: next })
    await client.patch(`/api/insurance/${next}`, { verificationStatus: 'verified' })
    expect(await coverageOf(inApril)).toMatchObject({ status: 'covered', verificationId: next })
    await client.patch(`/api/insurance/${next}`, { verificationStatus: 'denied' })
    expect(await coverageOf(inApril)).toMatchObject({ status: 'not-covered', verificationId: next })
    await client.patch(`/api/insurance/${first}`, { expiryDate: '2031-04-02' })
    expect(await coverageOf(inApril)).toMatchObject({ status: 'covered', verificationId: first })
  })

  it('is shown to roles that work with insurances', async () => {
    const { practice, book } = await newInsightPractice()
    const { id } = await book('2031-03-20T10:00')
    const nurse = await joinPractice(app, practice.id, 'nurse')
    const staff = await joinPractice(app, practice.id, 'staff')
    expect((await nurse.get(`/api/appointments/${id}`)).body.coverage).toBeNull()
    expect((await staff.get(`/api/appointments/${id}`)).body.coverage).toEqual({
      status: 'unknown',
      verificationId: null,
      isOtherPolicy: false,
    })
  })

  it('is an insight when it does not include an appointment within two weeks', async () => {
    const { client, patientId, book, list, count } = await newInsightPractice()
    const ended = { verificationStatus: 'verified', expiryDate: '2031-03-14' }
    const verification = await client.post('/api/insurance/verify', { patientId, ...policy, ...ended })
    await book('2031-03-14T09:00')
    const late = await book('2031-03-24T23:30')
    const far = await book('2031-03-25T00:00')
    await client.patch(`/api/appointments/${far.id}`, { status: 'confirmed' })
    expect(await list()).toMatchObject([
      {
        type: 'alert',
        priority: 'medium',
        title: "1 appointment is not covered by the patient's insurance",
        basedOn: [{ kind: 'appointment', id: late.id }],
        basedOnTotal: 1,
      },
    ])
    expect(await count()).toBe(1)
    const soon = await book('2031-03-13T09:00', { allowOverlap: true })
    await client.patch(`/api/insurance/${verification.body.id}`, { verificationStatus: 'denied' })
    expect((await list())[0]).toMatchObject({ priority: 'high', basedOnTotal: 3, basedOn: [{ id: soon.id }, {}, {}] })
    await client.patch(`/api/insurance/${verification.body.id}`, { verificationStatus: 'pending' })
    expect(await list()).toMatchObject([
      {
        priority: 'medium',
        title: '1 appointment is near, and the insurance is not verified',
        basedOn: [{ id: soon.id }],
      },
    ])
    const valid = { verificationStatus: 'verified', expiryDate: '2031-12-31' }
    await client.patch(`/api/insurance/${verification.body.id}`, valid)
    expect(await list()).toEqual([])
  })

  it('is missed before an appointment where the record names an insurance, in a practice that verifies some', async () => {
    const { client, patientId, book, list } = await newInsightPractice()
    const tomorrow = await book('2031-03-11T09:00')
    await client.patch(`/api/appointments/${tomorrow.id}`, { status: 'confirmed' })
    const insuranceInfo = { provider: policy.insuranceProvider, policyNumber: policy.policyNumber }
    expect((await client.patch(`/api/patients/${patientId}`, { insuranceInfo })).status).toBe(200)
    expect(await list()).toEqual([])
    const other = await client.post('/api/patients', { firstName: 'Omar', lastName: 'Haddad' })
    await client.post('/api/insurance/verify', { patientId: other.body.id, ...policy })
    expect(await list()).toMatchObject([{ priority: 'high', basedOn: [{ id: tomorrow.id }], basedOnTotal: 1 }])
    await client.patch(`/api/patients/${patientId}`, { insuranceInfo: null })
    expect(await list()).toEqual([])
  })
})

describe('insights', () => {
  it('are derived from the data of the practice alone', async () => {
    const fixture = await newInsightPractice()
    const other = await newSchedulingPractice(app, { timezone: 'America/New_York' })
    const { client, list, count } = fixture
    expect(await list()).toEqual([])
    await other.book('2031-03-11T10:00')
    await fixture.book('2031-03-11T00:00')
    await fixture.book('2031-03-11T23:30')
    await fixture.book('2031-03-12T00:00')
    const confirmed = await fixture.book('2031-03-11T12:00')
    await client.patch(`/api/appointments/${confirmed.id}`, { status: 'confirmed' })
    expect(await list()).toMatchObject([
      {
        type: 'alert',
        priority: 'medium',
        origin: 'rules',
        title: '2 appointments tomorrow are not confirmed',
        basedOn: [{ label: '12:00 AM, Grace Liu' }, { label: '11:30 PM, Grace Liu' }],
        basedOnTotal: 2,
      },
    ])
    const missed = await fixture.book('2030-11-05T10:00')
    await client.patch(`/api/appointments/${missed.id}`, { status: 'no-show' })
    expect(await list()).toMatchObject([{ priority: 'high', message: expect.stringContaining('1 patient who missed') }])
    expect(await count()).toBe(1)

    const gone = await fixture.addPatient({ firstName: 'Ada', lastName: 'Byron' })
    const last = await fixture.book('2030-03-01T10:00', { patientId: gone })
    await client.patch(`/api/appointments/${last.id}`, { status: 'completed' })
    expect((await list())[1]).toMatchObject({
      type: 'recommendation',
      title: '1 patient has not been seen for over a year',
      basedOn: [{ kind: 'patient', id: gone, label: 'Ada Byron', href: `/patients/${gone}` }],
    })
    expect(await count()).toBe(2)
    // Its appointment tomorrow, and its patient who cannot be reached.
    expect((await other.client.get('/api/dashboard/stats')).body.aiInsights).toBe(2)
    // Names are only in what an insight is based on.
    const texts = (await list()).map(({ basedOn: _, ...text }) => text)
    expect(JSON.stringify(texts)).not.toMatch(/Ada|Byron|Grace/)
  })

  it('point out repeated no-shows, patients who cannot be reached, and likely duplicates', async () => {
    const { client, book, list, count, addPatient, patientId } = await newInsightPractice()
    for (const day of ['2030-11-05', '2030-12-05']) {
      const { id } = await book(`${day}T10:00`)
      await client.patch(`/api/appointments/${id}`, { status: 'no-show' })
    }
    expect(await list()).toEqual([])
    await book('2031-04-10T10:00')
    expect(await list()).toMatchObject([
      { title: '1 patient with repeated no-shows has an upcoming appointment', basedOn: [{ id: patientId }] },
    ])
    const unreachable = await addPatient({ firstName: 'José', lastName: 'Gómez', dateOfBirth: '1980-01-02' })
    await book('2031-04-11T10:00', { patientId: unreachable })
    await addPatient({ firstName: 'jose', lastName: 'GOMEZ', dateOfBirth: '1980-01-02', phone: '617 555 0143' })
    await addPatient({ firstName: 'Jose', lastName: 'Gomez', dateOfBirth: '1980-01-03' })
    expect((await list()).map(({ title }) => title)).toEqual([
      '1 patient with repeated no-shows has an upcoming appointment',
      '1 patient with an upcoming appointment cannot be reached',
      '2 records may be of the same patients',
    ])
    expect(await count()).toBe(3)
    await client.patch(`/api/patients/${unreachable}`, { email: 'jose@example.test', dateOfBirth: '1980-01-04' })
    expect(await list()).toHaveLength(1)
    expect(await count()).toBe(1)
  })

  it('point out medications that an allergy rules out, again once the chart has changed', async () => {
    const { client, list, count, decide, patientId } = await newInsightPractice()
    const chart = (fields: object) => client.patch(`/api/patients/${patientId}`, fields)
    const take = (name: string) => chart({ medications: [{ name, dosage: null, frequency: null }] })
    await chart({ allergies: ['Penicillin'] })
    await take('Cephalexin')
    expect(await list()).toMatchObject([{ priority: 'medium', basedOn: [{ kind: 'patient', id: patientId }] }])
    await take('Amoxicillin')
    const [insight] = await list()
    expect(insight).toMatchObject({
      priority: 'high',
      title: '1 patient takes a medication that may conflict with an allergy',
    })
    // The list of insights is seen with less than the chart: it names no medicine.
    expect(JSON.stringify(insight)).not.toMatch(/amoxicillin|penicillin/i)
    await decide(insight?.id ?? '', 'dismiss')
    expect([await list(), await count()]).toEqual([[], 0])
    await chart({ allergies: ['Penicillin', 'Peanuts'] })
    expect(await count()).toBe(1)
    await chart({ allergies: ['Peanuts'] })
    expect([await list(), await count()]).toEqual([[], 0])
  })

  it('point out forms that wait and urgent findings', async () => {
    const { client, list, count, patientId, after } = await newInsightPractice()
    // Item 9 of the PHQ-9 is urgent.
    const formData = { 'phq9-9': 1 }
    const { body: form } = await client.post('/api/forms', { patientId, formType: 'assessment', title: 'PHQ-9' })
    await client.patch(`/api/forms/${form.id}`, { formData })
    expect(await list()).toEqual([])
    expect((await client.get(`/api/forms/${form.id}/analysis`)).status).toBe(200)
    expect(await list()).toMatchObject([
      { priority: 'high', title: '1 form has an urgent finding', basedOn: [{ kind: 'form', label: 'Grace Liu' }] },
    ])
    expect((await client.get('/api/ai/insights/usage')).body).toEqual({
      insightsGenerated: 1,
      formsAnalyzed: 1,
      model: null,
      accuracy: null,
    })
    await after(2 * dayMs + 1_000, async () => {
      expect((await list()).map(({ title }) => title)).toEqual([
        '1 form has an urgent finding',
        '1 form has been waiting for over 2 days',
      ])
      expect(await count()).toBe(2)
    })
  })

  it('are hidden once they were decided, until they are based on something new', async () => {
    const { book, list, count, decide, addPatient } = await newInsightPractice()
    await book('2031-03-11T10:00')
    const [insight] = await list()
    const id = insight?.id ?? ''
    expect(await decide(id, 'dismiss')).toMatchObject({ status: 204 })
    expect([await list(), await count()]).toEqual([[], 0])
    // Again, by a colleague.
    expect((await decide(id, 'dismiss')).status).toBe(204)
    await book('2031-03-11T11:00')
    expect(await list()).toMatchObject([{ id, basedOnTotal: 2 }])
    expect(await count()).toBe(1)
    expect((await decide(id, 'done')).status).toBe(204)
    expect(await list()).toEqual([])
    expect((await decide(id, 'reopen')).status).toBe(204)
    expect(await list()).toMatchObject([{ id }])

    // Of thousands of overdue patients it is the months that count.
    for (const [day, lastName, open] of [
      ['2030-01-10', 'Jones', 1],
      ['2030-01-20', 'Smith', 0],
      ['2030-02-10', 'Brown', 1],
    ] as const) {
      await book(`${day}T10:00`, { patientId: await addPatient({ firstName: 'Ada', lastName }) })
      const overdue = (await list()).filter(({ title }) => title.includes('not been seen'))
      expect([overdue.length, await count()]).toEqual([open, 1 + open])
      for (const each of overdue) await decide(each.id, 'dismiss')
    }
  })

  itLong('come back after they were snoozed', async () => {
    const { book, list, count, decide, addPatient, after } = await newInsightPractice()
    await book('2031-05-11T10:00', { patientId: await addPatient({ firstName: 'Ada', lastName: 'Byron' }) })
    const id = (await list())[0]?.id ?? ''
    expect((await decide(id, 'snooze', { days: 1 })).status).toBe(204)
    expect([await list(), await count()]).toEqual([[], 0])
    // It is 11 in the morning; midnight in New York is the end.
    await after(12 * hourMs, async () => expect(await list()).toEqual([]))
    await after(14 * hourMs, async () => expect([(await list()).length, await count()]).toEqual([1, 1]))
    const refusals = [{}, { days: 0 }, { days: 91 }, { days: 1, until: '2031-04-01T00:00:00Z' }, { until: 'tomorrow' }]
    for (const body of refusals) expect((await decide(id, 'snooze', body)).status).toBe(422)
    expect(await decide(id, 'snooze', { until: '2031-03-01T00:00:00Z' })).toMatchObject({
      status: 409,
      problem: { code: 'time-over' },
    })
    expect((await decide(id, 'snooze', { until: '2031-04-01T00:00:00-04:00' })).status).toBe(204)
    expect(await list()).toEqual([])
  })

  it('are decided in their own practice only, and by users who may read them', async () => {
    const { book, list, decide, practice } = await newInsightPractice()
    const other = await newInsightPractice()
    await book('2031-03-11T10:00')
    const id = (await list())[0]?.id ?? ''
    for (const decision of ['dismiss', 'done', 'reopen'])
      expect(await other.decide(id, decision)).toMatchObject({ status: 404, problem: { code: 'not-found' } })
    expect((await other.decide(id, 'snooze', { days: 1 })).status).toBe(404)
    const nurse = await joinPractice(app, practice.id, 'nurse')
    expect((await nurse.post(`/api/ai/insights/${id}/dismiss`)).status).toBe(403)
    expect((await nurse.get('/api/ai/insights/usage')).status).toBe(403)
    expect(await list()).toHaveLength(1)
    await decide(id, 'dismiss')
    expect((await other.decide(id, 'reopen')).status).toBe(404)
    const doctor = await joinPractice(app, practice.id, 'doctor')
    expect((await doctor.post(`/api/ai/insights/${id}/reopen`)).status).toBe(204)
    expect(await list()).toHaveLength(1)
  })

  itLong('accompany upcoming appointments that are not confirmed, where the patient missed one before', async () => {
    const fixture = await newSchedulingPractice(app, { timezone: 'America/New_York' })
    const { client, practice } = fixture
    const missed = await fixture.book('2030-11-05T10:00')
    await client.patch(`/api/appointments/${missed.id}`, { status: 'no-show' })
    const insightsOf = async (who: Client, id: string) => (await who.get(`/api/appointments/${id}`)).body.aiInsights
    const { id } = await fixture.book('2031-03-12T10:00')
    // Insights need a plan that includes them.
    expect(await insightsOf(client, id)).toBeNull()
    await subscribe(client, 'professional')
    await waitForUserSubscription(client, 'trial')
    const insights = [expect.objectContaining({ type: 'alert', title: 'This patient missed an appointment this year' })]
    expect(await insightsOf(client, id)).toEqual(insights)
    const day = '/api/appointments?startDate=2031-03-12T05:00:00Z&endDate=2031-03-13T04:00:00Z'
    expect((await client.get(day)).body).toMatchObject([{ id, aiInsights: insights }])
    expect(await insightsOf(await joinPractice(app, practice.id, 'nurse'), id)).toBeNull()
    expect((await client.patch(`/api/appointments/${id}`, { status: 'confirmed' })).body.aiInsights).toBeNull()
  })

  it('need the permission for AI and a plan that includes it', async () => {
    const { client, practice } = await newSchedulingPractice(app)
    const ask = async (who = client) => {
      const { status, problem } = await who.get('/api/ai/insights')
      return [status, problem.code, problem['tier']]
    }
    expect(await ask()).toEqual([403, 'upgrade-required', 'professional'])
    await subscribe(client, 'starter')
    await waitForUserSubscription(client, 'trial')
    expect(await ask()).toEqual([403, 'upgrade-required', 'professional'])
    await client.post('/api/subscription/change-plan', { priceId: 'price_sandbox_professional' })
    expect((await client.get('/api/ai/insights')).status).toBe(200)
    expect((await (await joinPractice(app, practice.id, 'doctor')).get('/api/ai/insights')).status).toBe(200)
    expect(await ask(await joinPractice(app, practice.id, 'nurse'))).toEqual([403, 'forbidden', undefined])
  })
})
