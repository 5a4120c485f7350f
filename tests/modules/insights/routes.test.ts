import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deriveInsights } from '#modules/insights/rules.ts'
import { subscribe, waitForUserSubscription } from '#tests/support/billing.ts'
import type { Client } from '#tests/support/client.ts'
import { joinPractice } from '#tests/support/members.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { newSchedulingPractice } from '#tests/modules/appointments/scheduling-practice.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
  app.advanceClock(Date.parse('2031-03-10T15:00:00.000Z') - Date.now())
})
afterAll(() => app.dispose())

describe('insights', () => {
  it('are derived from the data of the practice alone', async () => {
    const fixture = await newSchedulingPractice(app, { timezone: 'America/New_York' })
    const other = await newSchedulingPractice(app, { timezone: 'America/New_York' })
    const { client } = fixture
    await subscribe(client, 'professional')
    await waitForUserSubscription(client, 'trial')
    const found = async () => (await client.get('/api/ai/insights')).body
    expect(await found()).toEqual([])
    await other.book('2031-03-11T10:00')
    await fixture.book('2031-03-11T00:00')
    await fixture.book('2031-03-11T23:30')
    await fixture.book('2031-03-12T00:00')
    const confirmed = await fixture.book('2031-03-11T12:00')
    await client.patch(`/api/appointments/${confirmed.id}`, { status: 'confirmed' })
    expect(await found()).toMatchObject([
      { type: 'alert', priority: 'medium', title: '2 appointments tomorrow are not confirmed' },
    ])
    const missed = await fixture.book('2030-11-05T10:00')
    await client.patch(`/api/appointments/${missed.id}`, { status: 'no-show' })
    expect(await found()).toMatchObject([
      { priority: 'high', message: expect.stringContaining('1 patient who missed') },
    ])

    expect((await client.get('/api/dashboard/stats')).body.aiInsights).toBe((await found()).length)

    const { body: gone } = await client.post('/api/patients', { firstName: 'Ada', lastName: 'Byron' })
    const last = await fixture.book('2030-03-01T10:00', { patientId: gone.id })
    await client.patch(`/api/appointments/${last.id}`, { status: 'completed' })
    expect((await found())[1]).toMatchObject({
      type: 'recommendation',
      title: '1 patient has not been seen for over a year',
    })
    expect((await client.get('/api/dashboard/stats')).body.aiInsights).toBe(2)
    expect((await other.client.get('/api/dashboard/stats')).body.aiInsights).toBe(1)
    expect(JSON.stringify(await found())).not.toMatch(/Ada|Byron|Grace/)
  })

  it('accompany upcoming appointments that are not confirmed, where the patient missed one before', async () => {
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

it('uses singular and plural', () => {
  expect(deriveInsights({ unconfirmed: 0, missedBefore: 0, overdue: 0 })).toEqual([])
  const titles = (counts: [number, number, number]) =>
    deriveInsights({ unconfirmed: counts[0], missedBefore: counts[1], overdue: counts[2] }).map(({ title }) => title)
  expect(titles([1, 1, 0])).toEqual(['1 appointment tomorrow is not confirmed'])
  expect(titles([0, 0, 9])).toEqual(['9 patients have not been seen for over a year'])
})
