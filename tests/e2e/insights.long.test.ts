import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BookingConcern } from '#contracts/values/appointments.ts'
import { addDays } from '#contracts/values/calendar.ts'
import { subscribe, waitForUserSubscription } from '#tests/support/billing.ts'
import { newMember } from '#tests/support/members.ts'
import { newOwner, password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  launchBrowser,
  openWindow,
  silenceLiveUpdates,
  takePicture,
} from './browser.ts'
import { screenLooks } from './looks.ts'

const title = '1 patient with an upcoming appointment cannot be reached'

/** Each test builds on the state of the previous one. */
describe('AI Insights', () => {
  let app: TestApp
  let browser: Browser
  let owner: Awaited<ReturnType<typeof newOwner>>
  let patientId: string

  async function signedIn(email: unknown, look: { width?: number; height?: number; dark?: boolean } = {}) {
    const screen = await openWindow(browser, { ...look, url: app.url })
    await screen.page.request.post('/api/login', { data: { email, password } })
    return screen
  }

  beforeAll(async () => {
    app = await startTestApp()
    browser = await launchBrowser()
    owner = await newOwner(app)
    await subscribe(owner.client, 'professional')
    await waitForUserSubscription(owner.client, 'trial')
    const { body } = await owner.client.post('/api/patients', { firstName: 'Grace', lastName: 'Hopper' })
    patientId = body.id
  })
  afterAll(async () => {
    await browser?.close()
    await app?.dispose()
  })

  it('are empty at first, and unavailable without a connection', async () => {
    const { page, context } = await signedIn(owner.registration.email)
    await silenceLiveUpdates(context)
    await page.goto('/ai-insights')
    await page.getByText('No AI insights available at the moment').waitFor()
    const usage = page.getByRole('region', { name: 'Usage' })
    await usage.getByText('Not enough data yet').waitFor()
    await context.route('**/api/ai/insights', (route) => route.abort())
    await page.getByRole('button', { name: 'Generate New Insights' }).click()
    await page.getByText('AI insights temporarily unavailable').waitFor()
    await page.getByText('Service is currently experiencing high demand. Please try again later.').waitFor()
    await context.unroute('**/api/ai/insights')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('No AI insights available at the moment').waitFor()
    await context.close()
    const today = (await owner.client.get('/api/dashboard/stats')).body.today as string
    const booking = { patientId, appointmentDate: `${addDays(today, 8)}T10:00`, type: 'check-up' }
    const reply = await owner.client.post('/api/appointments', { ...booking, confirmed: BookingConcern.options })
    expect(reply.status).toBe(201)
  })

  it.each(screenLooks)('show what they rest on, and fit the window: $name', async ({ name, ...look }) => {
    const { page, context, complaints } = await signedIn(owner.registration.email, look)
    await page.goto('/ai-insights')
    const card = page.getByRole('list', { name: 'Insights' }).getByRole('listitem').filter({ hasText: title }).first()
    await card.getByText('Medium priority').waitFor()
    await card.getByText('By rules, not by an AI model').waitFor()
    await card.getByText('Based on 1 patient').waitFor()
    await expectAccessible(page, `insights, ${name}`)
    await expectNoSidewaysScroll(page)
    await takePicture(page, `insights-${name}`)
    await page.getByRole('tab', { name: 'Alerts' }).click()
    await page.waitForURL(/type=alert/)
    await page.getByText('No insights of this type').waitFor()
    await page.getByRole('tab', { name: 'Recommendations' }).click()
    await card.getByRole('link', { name: 'Grace Hopper' }).click()
    await page.waitForURL(`**/patients/${patientId}`)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('are dismissed, restored, snoozed and done', async () => {
    const { page, context, complaints } = await signedIn(owner.registration.email)
    await page.goto('/ai-insights')
    await page.getByRole('button', { name: `Dismiss, ${title}` }).click()
    await page.getByText('Insight dismissed').waitFor()
    await page.getByText('No AI insights available at the moment').waitFor()
    await expectAccessible(page, 'dismissed')
    await expect.poll(() => page.evaluate<string>('document.activeElement.textContent')).toBe('Undo')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 2, name: title }).waitFor()
    await page.getByRole('button', { name: `Snooze, ${title}` }).click()
    await page.getByRole('menuitem', { name: 'For a week' }).click()
    await page.getByText('Insight snoozed').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: `Done, ${title}` }).click()
    await page.getByText('Insight marked as done').waitFor()
    expect((await owner.client.get('/api/dashboard/stats')).body.aiInsights).toBe(0)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('are not shown to other roles, and to demo users with sample figures only', async () => {
    const nurse = await newMember(app, owner.practice.id, 'nurse')
    const refused = await signedIn(nurse.registration.email)
    await refused.page.goto('/ai-insights')
    await refused.page.getByText('Your role does not include AI insights').waitFor()
    await refused.context.close()
    const demo = await newOwner(app)
    const { page, context } = await signedIn(demo.registration.email)
    await page.goto('/ai-insights')
    await page.getByText('Upgrade to use AI Insights').waitFor()
    for (const text of ['89', '156', '98%'])
      await page.getByRole('region', { name: 'Usage' }).getByText(text, { exact: true }).waitFor()
    await expectAccessible(page, 'demo')
    await context.close()
  })
})
