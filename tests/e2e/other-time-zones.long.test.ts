import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { subscribe, waitForUserSubscription } from '#tests/support/billing.ts'
import { newOwner, password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { launchBrowser, openWindow } from './browser.ts'

/** The practice is in New York; at its evenings, the next day has begun in Tokyo. */
describe('a window in another time zone', () => {
  let app: TestApp
  let browser: Browser

  beforeAll(async () => {
    app = await startTestApp()
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await app?.dispose()
  })

  it('shows appointments, and messages about them, in the time of the practice', async () => {
    const { client, registration } = await newOwner(app, { selectedPlan: 'enterprise' })
    await subscribe(client, 'enterprise')
    await waitForUserSubscription(client, 'trial')
    const { body: patient } = await client.post('/api/patients', {
      firstName: 'Grace',
      lastName: 'Hopper',
      email: 'grace@example.test',
    })
    const book = async (appointmentDate: string) => {
      const reply = await client.post('/api/appointments', { patientId: patient.id, appointmentDate, type: 'check-up' })
      expect(reply).toMatchObject({ status: 201 })
      return reply.body
    }
    const past = await book('2026-03-02T20:30')
    expect((await client.patch(`/api/appointments/${past.id}`, { status: 'completed' })).status).toBe(200)
    await book('2031-03-05T19:00')

    const { page, context, complaints } = await openWindow(browser, { url: app.url, zone: 'Asia/Tokyo' })
    await page.request.post('/api/login', { data: { email: registration.email, password } })
    await page.goto('/patients')
    await page
      .getByRole('row', { name: /Grace Hopper/ })
      .getByText('Mar 2, 2026', { exact: true })
      .waitFor()
    await page.goto('/appointments?date=2031-03-05&view=list')
    await page
      .getByRole('row', { name: /Grace Hopper/ })
      .getByText('7:00 PM')
      .waitFor()
    await page.goto('/automation?tab=appointments')
    const row = page.getByRole('row', { name: /Grace Hopper/ })
    await row.getByText('Mar 5, 2031, 7:00 PM', { exact: true }).waitFor()
    await row.getByText('Mar 4, 2031, 7:00 PM', { exact: true }).waitFor()

    const call = await client.post('/api/call-logs', { callerPhone: '(212) 555-0140', callDirection: 'inbound' })
    expect(call).toMatchObject({ status: 201 })
    const loggedAt = new Intl.DateTimeFormat('en-US', { timeStyle: 'short', timeZone: 'America/New_York' })
      .format(new Date(call.body.createdAt))
      .replaceAll(/\s/gu, ' ')
    await page.goto('/automation?tab=phone')
    await page.getByText(`, ${loggedAt}`, { exact: false }).first().waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })
})
