import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newMember } from '#tests/support/members.ts'
import { waitForJobs } from '#tests/support/job-delays.ts'
import { newOwner, password } from '#tests/support/practice.ts'
import { subscribe, waitForUserSubscription } from '#tests/support/billing.ts'
import { nouns } from '#tests/modules/records/nouns/nouns.ts'
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

const hourMs = 3_600_000

describe('the automation hub in every look', () => {
  let app: TestApp
  let browser: Browser
  let owner: Awaited<ReturnType<typeof newOwner>>

  async function signedIn(email: unknown, look: { width?: number; height?: number; dark?: boolean } = {}) {
    const screen = await openWindow(browser, { ...look, url: app.url })
    await screen.page.request.post('/api/login', { data: { email, password } })
    return screen
  }
  const row = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) }).first()

  beforeAll(async () => {
    app = await startTestApp()
    browser = await launchBrowser()
    owner = await newOwner(app)
    await subscribe(owner.client, 'starter')
    await waitForUserSubscription(owner.client, 'trial')
    const grace = { firstName: 'Grace', lastName: 'Liu', email: 'grace.liu@example.com' }
    const { body: patient } = await owner.client.post('/api/patients', grace)
    const patientId = patient.id as string
    const appointmentDate = new Date(Math.ceil(Date.now() / 60_000) * 60_000 + 20 * hourMs).toISOString()
    const booking = { patientId, appointmentDate, type: 'consultation', allowOverlap: true }
    expect((await owner.client.post('/api/appointments', booking)).status).toBe(201)
    for (const { path, body, definition } of nouns) {
      const about = definition.patient === 'none' ? {} : { patientId }
      expect((await owner.client.post(path, { ...body, ...about })).status).toBe(201)
    }
    await waitForJobs(
      app.services.pool,
      async () => (await owner.client.get('/api/automation/activity')).body as unknown[],
      (actions) => actions.length === 1,
    )
  })
  afterAll(async () => {
    await browser?.close()
    await app?.dispose()
  })

  it('says what failed, and tries again', async () => {
    const { page, context } = await signedIn(owner.registration.email)
    await silenceLiveUpdates(context)
    await context.route(/\/api\/appointment-confirmations\?/, (route) => route.abort())
    await page.goto('/automation?tab=appointments')
    await page.getByText('Failed to fetch confirmations').waitFor()
    await context.unroute(/\/api\/appointment-confirmations\?/)
    await page.getByRole('button', { name: 'Try again' }).click()
    await row(page, 'Grace Liu').waitFor()
    await context.close()
  })

  it('shows nurses the list, and no settings', async () => {
    const nurse = await newMember(app, owner.practice.id, 'nurse')
    const { page, context } = await signedIn(nurse.registration.email)
    await page.goto('/automation?tab=appointments')
    await row(page, 'Grace Liu').waitFor()
    expect(await page.getByRole('button', { name: 'Configure Settings' }).count()).toBe(0)
    await context.close()
  })

  it.each(screenLooks)('is accessible and fits the window: $name', async ({ name, ...look }) => {
    const { page, context, complaints } = await signedIn(owner.registration.email, look)
    await page.goto('/automation')
    await page.getByText('Grace Liu was asked about an appointment').first().waitFor()
    await expectAccessible(page, `overview, ${name}`)
    await expectNoSidewaysScroll(page)
    await takePicture(page, `automation-${name}`)
    for (const [tab, text] of [
      ['appointments', 'Grace Liu'],
      ['insurance', 'Summit Mutual'],
      ['phone', 'Refill'],
      ['clinical', 'Grace Liu'],
      ['supplies', 'Harbor Medical'],
    ] as const) {
      await page.goto(`/automation?tab=${tab}`)
      await page.getByText(text).first().waitFor()
      const { x = -1, width = 0 } = (await page.getByRole('tab', { selected: true }).boundingBox()) ?? {}
      expect(x).toBeGreaterThanOrEqual(0)
      expect(x + width).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0)
      await expectAccessible(page, `${tab}, ${name}`)
      await expectNoSidewaysScroll(page)
      await takePicture(page, `automation-${tab}-${name}`)
    }
    expect(complaints).toEqual([])
    await context.close()
  })
})
