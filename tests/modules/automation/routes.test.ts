import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AutomationAction, AutomationStats } from '#contracts/automation.ts'
import { newSubscriber } from '#tests/support/billing.ts'
import { waitForJobs } from '#tests/support/job-delays.ts'
import { joinPractice } from '#tests/support/members.ts'
import { newOwner } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.dispose())

const hourMs = 3_600_000

/** A practice whose patient, without an address, is asked about an appointment: the message fails. */
async function newPracticeWithFailure() {
  const { client, practice } = await newSubscriber(app, 'starter')
  const patient = await client.post('/api/patients', { firstName: 'Grace', lastName: 'Liu' })
  const startsAt = new Date(Math.ceil(Date.now() / 60_000) * 60_000 + 20 * hourMs).toISOString()
  const booking = { patientId: patient.body.id, appointmentDate: startsAt, type: 'consultation', allowOverlap: true }
  expect((await client.post('/api/appointments', booking)).status).toBe(201)
  const activity = await waitForJobs(
    app.services.pool,
    async () => (await client.get('/api/automation/activity')).body as AutomationAction[],
    (found) => found.length > 0,
  )
  return { client, practice, patient: patient.body, activity }
}

describe('what ran by itself', () => {
  it('is listed with its patient, counted, and left out of other practices', async () => {
    const { client, patient, activity } = await newPracticeWithFailure()
    expect(activity).toMatchObject([
      { kind: 'message', outcome: 'failed', patientId: patient.id, patientName: 'Grace Liu' },
    ])
    const { body } = await client.get('/api/automation/stats')
    expect(body).toMatchObject({
      appointmentConfirmations: { total: 1, failed: 1, pending: 0, sent: 0, confirmed: 0 },
      summary: { since: expect.stringMatching(/^\d{4}-\d{2}-01$/), actions: 1, failed: 1, messages: 0, savedCents: 0 },
      estimates: { minutesPerMessage: 3, minutesPerForm: 6, hourlyRateCents: 28_00 },
    })
    const { client: other } = await newOwner(app)
    expect((await other.get('/api/automation/activity')).body).not.toContainEqual(
      expect.objectContaining({ patientId: patient.id }),
    )
  })

  it('stays listed without its name when the patient is removed', async () => {
    const { client, patient } = await newPracticeWithFailure()
    expect((await client.delete(`/api/patients/${patient.id}`)).status).toBeLessThan(300)
    expect((await client.get('/api/automation/activity')).body).toMatchObject([{ patientName: null }])
  })

  it('is counted by what it did this month, and paged, newest first', async () => {
    const [{ client, practice }, other] = [await newSubscriber(app, 'starter'), await newSubscriber(app, 'starter')]
    const begin = Date.now()
    const done: readonly [kind: string, outcome: string, of?: string, at?: number][] = [
      ['message', 'sent'],
      ['message', 'failed'],
      ['offer', 'sent'],
      ['offer', 'confirmed'],
      ['offer', 'declined'],
      ['answer', 'confirmed'],
      ['answer', 'declined'],
      ['analysis', 'completed'],
      ['analysis', 'failed'],
      ['coverage', 'confirmed'],
      ['coverage', 'failed'],
      ['expiry', 'completed'],
      ['survey', 'sent'],
      ['survey', 'completed'],
      ['message', 'sent', other.practice.id],
      ['message', 'sent', practice.id, begin - 32 * 24 * hourMs],
    ]
    for (const [index, [kind, outcome, of = practice.id, at = begin + index]] of done.entries())
      await app.services.pool.query(
        `insert into read.automation_actions (id, practice_id, patient_id, kind, outcome, record_id, at, sample)
         values (gen_random_uuid(), $1, gen_random_uuid(), $2, $3, gen_random_uuid(), $4, false)`,
        [of, kind, outcome, new Date(at)],
      )
    const counts = { actions: 14, failed: 3, messages: 2, answers: 4, analyses: 1, expiries: 1 }
    expect((await client.get('/api/automation/stats')).body).toMatchObject({ summary: counts })
    const listed: AutomationAction[] = []
    for (let next: string | null = '/api/automation/activity?limit=5'; next !== null;) {
      const { body, headers } = await client.get(next)
      listed.push(...(body as AutomationAction[]))
      next = /<(.*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? null
    }
    const own = done.filter(([, , of]) => of !== other.practice.id)
    const inOrder = [...own.slice(0, -1).toReversed(), ...own.slice(-1)]
    expect(listed.map(({ kind, outcome }) => [kind, outcome])).toEqual(
      inOrder.map(([kind, outcome]) => [kind, outcome]),
    )
  })

  it('is paged, and refuses a cursor that is none', async () => {
    const { client } = await newPracticeWithFailure()
    const page = await client.get('/api/automation/activity?limit=1')
    expect(page.headers.get('link')).toBeNull()
    expect(await client.get('/api/automation/activity?cursor=none')).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'cursor' }] },
    })
  })
})

describe('what runs by itself', () => {
  it('is switched by users who may change settings, and says by whom and since when', async () => {
    const { client, practice, user } = await newSubscriber(app, 'starter')
    const path = '/api/automation/switches'
    const never = { isOn: true, changedAt: null, changedBy: null }
    expect((await client.get(path)).body).toEqual([
      { automation: 'confirmations', isConnected: true, ...never },
      { automation: 'eligibility', isConnected: false, ...never },
      { automation: 'coverage-rechecks', isConnected: false, ...never },
      { automation: 'form-analysis', isConnected: true, ...never },
    ])
    const off = await client.patch(path, { automation: 'form-analysis', isOn: false })
    expect(off).toMatchObject({ status: 200, body: { isOn: false, changedBy: `${user.firstName} ${user.lastName}` } })
    expect(Math.abs(Date.parse(off.body.changedAt) - Date.now())).toBeLessThan(60_000)
    expect((await client.patch(path, { automation: 'form-analysis', isOn: false })).body).toEqual(off.body)
    expect((await client.get(path)).body[3]).toEqual(off.body)
    expect(await client.patch(path, { automation: 'form-analysis', isOn: 'no' })).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'isOn', message: 'Please choose on or off' }] },
    })
    expect(await client.patch(path, { automation: 'everything', isOn: false })).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'automation' }] },
    })
    const nurse = await joinPractice(app, practice.id, 'nurse')
    expect((await nurse.patch(path, { automation: 'form-analysis', isOn: true })).status).toBe(403)
    const { client: other } = await newOwner(app)
    expect((await other.get(path)).body[2]).toMatchObject({ isOn: true, changedBy: null })
  })
})

describe('the estimates', () => {
  it('are saved by users who may change settings, and turn actions into money', async () => {
    const { client, practice } = await newSubscriber(app, 'starter')
    const estimates = { minutesPerMessage: 5, minutesPerForm: 10, hourlyRateCents: 60_00 }
    expect(await client.post('/api/automation/estimates', estimates)).toMatchObject({ status: 200, body: estimates })
    const stats = (await client.get('/api/automation/stats')).body as AutomationStats
    expect(stats).toMatchObject({ estimates, summary: { actions: 0, minutesSaved: 0, savedCents: 0 } })
    const nurse = await joinPractice(app, practice.id, 'nurse')
    expect((await nurse.post('/api/automation/estimates', estimates)).status).toBe(403)
    expect((await nurse.get('/api/automation/stats')).status).toBe(200)
  })

  it.each([
    ['minutesPerMessage', -1, 'Please enter 0 minutes or more'],
    ['minutesPerForm', 1.5, 'Please enter whole minutes'],
    ['hourlyRateCents', 'much', 'Please enter an amount'],
    ['minutesPerForm', 241, 'Please enter at most 240 minutes'],
  ])('name the field that is wrong: %s %s', async (field, value, message) => {
    const { client } = await newOwner(app)
    const body = { minutesPerMessage: 5, minutesPerForm: 10, hourlyRateCents: 60_00, [field]: value }
    expect(await client.post('/api/automation/estimates', body)).toMatchObject({
      status: 422,
      body: { errors: [{ path: field, message }] },
    })
  })
})
