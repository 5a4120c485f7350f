import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newSubscriber } from '#tests/support/billing.ts'
import { waitForMessages } from '#tests/support/outbox.ts'
import { password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { waitUntil } from '#tests/support/wait-until.ts'
import { expectAccessible, expectNoSidewaysScroll, launchBrowser, openWindow, takePicture } from './browser.ts'
import { screenLooks } from './looks.ts'

const hourMs = 3_600_000
const email = 'grace@example.test'

/** Each test builds on the state of the previous one. */
describe('the question about satisfaction', () => {
  let app: TestApp
  let browser: Browser
  let owner: Awaited<ReturnType<typeof newSubscriber>>

  const signedIn = async () => {
    const screen = await openWindow(browser, { url: app.url })
    await screen.page.request.post('/api/login', { data: { email: owner.registration.email, password } })
    return screen
  }
  const receiveLink = async () => {
    const [message = ''] = await waitForMessages(app, email, 1)
    return /\/survey\/[\w.-]+/.exec(message)?.[0] ?? 'none'
  }

  beforeAll(async () => {
    app = await startTestApp()
    browser = await launchBrowser()
    owner = await newSubscriber(app, 'professional')
  })
  afterAll(async () => {
    await browser?.close()
    await app?.dispose()
  })

  it('is asked once the practice switches that on', async () => {
    const { page, context, complaints } = await signedIn()
    await page.goto('/automation?tab=appointments')
    await page.getByRole('button', { name: 'Configure Settings' }).click()
    const dialog = page.getByRole('dialog', { name: 'Configure Settings' })
    await dialog.getByRole('switch', { name: 'Ask how satisfied patients are' }).check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Configuration saved').waitFor()
    const patient = await owner.client.post('/api/patients', { firstName: 'Grace', lastName: 'Liu', email })
    const booked = await owner.client.post('/api/appointments', {
      patientId: patient.body.id,
      appointmentDate: new Date(Math.floor(Date.now() / 60_000) * 60_000 - hourMs).toISOString(),
      type: 'consultation',
      allowOverlap: true,
      status: 'completed',
    })
    expect(booked.status).toBe(201)
    await waitUntil(async () => {
      const { rowCount } = await app.services.pool.query(
        `update jobs.job set start_after = now() where name = 'plan-survey' and state = 'created'`,
      )
      return rowCount === 1
    })
    await receiveLink()
    expect(complaints).toEqual([])
    await context.close()
  })

  it.each(screenLooks)('fits and is accessible: $name', async ({ name, ...look }) => {
    const { page, context, complaints } = await openWindow(browser, { url: app.url, ...look })
    await page.goto(await receiveLink())
    await page.getByRole('heading', { name: 'How was your appointment at Harbor Clinic?' }).waitFor()
    expect(await page.getByRole('button').count()).toBe(6)
    await expectNoSidewaysScroll(page)
    await expectAccessible(page, name)
    await takePicture(page, `survey-${name}`)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('goes from a tap of the patient to the figure, the log and the messages', async () => {
    const patient = await openWindow(browser, { url: app.url })
    await patient.page.goto(await receiveLink())
    await patient.page.getByRole('button', { name: 'Good', exact: true }).click()
    await patient.page.getByText('Your answer, 4 of 5, has arrived.').waitFor()
    await expectAccessible(patient.page, 'the answer')
    await takePicture(patient.page, 'survey-answered')
    await patient.page.getByLabel('Would you like to tell the practice more?').fill('Parking was hard to find.')
    await patient.page.getByRole('button', { name: 'Send' }).click()
    await patient.page.getByText('Harbor Clinic reads your words.').waitFor()
    expect(patient.complaints).toEqual([])
    await patient.context.close()

    const { page, context, complaints } = await signedIn()
    await page.goto('/automation')
    await page.getByText('Grace Liu rated an appointment').waitFor()
    await page.goto('/analytics')
    await page.getByText('4.0/5').first().waitFor()
    await page.getByRole('button', { name: /^Open .* behind Patient Satisfaction$/ }).click()
    const drawer = page.getByRole('dialog', { name: 'The records behind this number' })
    await drawer.getByText('4 of 5').waitFor()
    await expectAccessible(page, 'the records')
    await takePicture(page, 'survey-records')
    expect(complaints).toEqual([])
    await context.close()
  })
})
