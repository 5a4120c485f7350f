import { afterAll, beforeAll, expect, it } from 'vitest'
import { newSchedulingPractice } from '#tests/modules/appointments/scheduling-practice.ts'
import { subscribe, waitForUserSubscription } from '#tests/support/billing.ts'
import { joinPractice } from '#tests/support/members.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.dispose())

it('revenue, fees and the plan are for members with the permission, the owner’s e-mail for administrators', async () => {
  const { client, user, practice, book } = await newSchedulingPractice(app, { selectedPlan: 'starter' })
  const { id } = await book('2031-03-05T09:00')
  await client.patch(`/api/appointments/${id}`, { status: 'completed' })
  await subscribe(client, 'starter')
  await waitForUserSubscription(client, 'trial')

  for (const [role, seesMoney] of [
    ['nurse', false],
    ['doctor', false],
    ['staff', true],
    ['administrator', true],
  ] as const) {
    const member = await joinPractice(app, practice.id, role)
    const stats = (await member.get('/api/dashboard/stats')).body
    const today = new Date().toISOString().slice(0, 8)
    const counted = `/api/dashboard/appointments?from=${today}01&to=${today}28&by=completion`
    const money = [
      stats.revenue,
      stats.compared.lastMonthsRevenue,
      stats.histories.revenue,
      (await member.get(`/api/appointments/${id}`)).body.fee,
      (await member.patch(`/api/appointments/${id}`, { notes: role })).body.fee,
    ]
    expect(money.map((value) => value !== null)).toEqual(money.map(() => seesMoney))
    expect(JSON.stringify((await member.get(counted)).body)).not.toContain(seesMoney ? '"fee":null' : '"cents"')
    expect(stats.totalPatients).toBe(1)
    const { selectedPlan, settings } = (await member.get(`/api/practices/${practice.id}`)).body
    expect([selectedPlan, settings.selectedPlan]).toEqual(seesMoney ? ['starter', 'starter'] : [null, null])

    const subscription = await member.get('/api/subscription/status')
    expect(subscription.status).toBe(seesMoney ? 200 : 403)
    const customer = role === 'administrator' ? { email: user.email } : null
    if (seesMoney) expect(subscription.body).toMatchObject({ plan: { id: 'starter' }, customer })
  }
})
