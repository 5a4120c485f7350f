import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newSubscriber } from '#tests/support/billing.ts'
import { password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { expectAccessible, expectNoSidewaysScroll, launchBrowser, openWindow, takePicture } from './browser.ts'
import { screenLooks } from './looks.ts'

const dayMs = 86_400_000

/** Each test builds on the state of the previous one. */
describe('a freed time', () => {
  let app: TestApp
  let browser: Browser
  let owner: Awaited<ReturnType<typeof newSubscriber>>
  let start: string

  const signedIn = async (look: object = {}) => {
    const screen = await openWindow(browser, { url: app.url, ...look })
    await screen.page.request.post('/api/login', { data: { email: owner.registration.email, password } })
    return screen
  }
  const addPatient = async (firstName: string, lastName: string) => {
    const email = `${firstName}@example.test`.toLowerCase()
    return (await owner.client.post('/api/patients', { firstName, lastName, email })).body.id as string
  }
  /** Runs jobs that wait for their time at once. */
  const hurry = (...names: string[]) =>
    app.services.pool.query(
      `update jobs.job set start_after = now() where state in ('created', 'retry') and name = any($1)`,
      [names],
    )
  const offers = (page: Page) => page.getByRole('table', { name: 'Offers' })

  beforeAll(async () => {
    app = await startTestApp()
    browser = await launchBrowser()
    owner = await newSubscriber(app, 'starter')
    const [provider] = (await owner.client.get('/api/providers')).body as { id: string }[]
    const from = new Date(Date.now() + 3 * dayMs).toISOString()
    const query = `from=${from}&duration=30&days=10&providerId=${provider?.id}`
    const free = (await owner.client.get(`/api/appointments/free-slots?${query}`)).body as { start: string }[]
    start = free[0]?.start ?? ''
  })
  afterAll(async () => {
    await browser?.close()
    await app?.dispose()
  })

  it('is offered once the practice switches that on', async () => {
    const { page, context, complaints } = await signedIn()
    await page.goto('/automation?tab=appointments')
    await page.getByText('No confirmations yet').waitFor()
    expect(await page.getByText('Offers to the Waitlist').count()).toBe(0)
    await page.getByRole('button', { name: 'Configure Settings' }).click()
    const dialog = page.getByRole('dialog', { name: 'Configure Settings' })
    await dialog.getByRole('switch', { name: 'Offer freed times to the waitlist' }).check()
    await expectAccessible(page, 'the settings')
    await takePicture(page, 'slot-offers-settings')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Offers to the Waitlist').waitFor()
    await page.getByText('No offers yet').waitFor()
    await expectAccessible(page, 'no offers')
    expect(complaints).toEqual([])
    await context.close()
  })

  it('goes from a refusal over the waitlist to a new appointment, live on the schedule', async () => {
    const wanted = await addPatient('Grace', 'Liu')
    const waiting = await addPatient('Mei', 'Tanaka')
    const booking = { patientId: wanted, appointmentDate: start, type: 'consultation', duration: 30 }
    const booked = await owner.client.post('/api/appointments', booking)
    expect(booked.status).toBe(201)
    await owner.client.post('/api/waitlist', { patientId: waiting, type: 'follow-up', duration: 30 })

    const schedule = await signedIn()
    const day = String(booked.body.localDate)
    await schedule.page.goto(`/appointments?date=${day}`)
    await schedule.page.getByText('Grace Liu').first().waitFor()

    const hub = await signedIn()
    await hub.page.goto('/automation?tab=appointments')
    await hub.page.getByText('No offers yet').waitFor()
    expect((await owner.client.delete(`/api/appointments/${booked.body.id}`)).status).toBe(204)
    const row = offers(hub.page).getByRole('row', { name: /Mei Tanaka/ })
    await expect
      .poll(async () => {
        await hurry('offer-freed-slot')
        return await row.getByText('Waiting for the answer').count()
      })
      .toBe(1)

    // The patient's page, from the link that the row has without a mail server.
    const url = new URL((await row.getByRole('link', { name: 'Answer as the patient' }).getAttribute('href')) ?? '')
    const patient = await openWindow(browser, { url: app.url, width: 390, height: 844, dark: true })
    await patient.page.goto(url.pathname)
    await expectAccessible(patient.page, 'the page of the patient')
    await expectNoSidewaysScroll(patient.page)
    await takePicture(patient.page, 'slot-offers-patient')
    await patient.page.getByRole('button', { name: 'Take this time' }).click()
    await patient.page.getByRole('heading', { name: 'Your appointment is booked' }).waitFor()

    await row.getByText('Accepted').waitFor()
    await schedule.page.getByText('Mei Tanaka').first().waitFor()
    await takePicture(schedule.page, 'slot-offers-schedule')
    await row.getByRole('button', { name: /actions/i }).click()
    await hub.page.getByRole('menuitem', { name: 'Open appointment' }).click()
    await hub.page.getByRole('dialog').getByText('Mei Tanaka').first().waitFor()
    for (const screen of [schedule, hub, patient]) {
      expect(screen.complaints).toEqual([])
      await screen.context.close()
    }
  })

  it.each(screenLooks)('fits the window: $name', async ({ name, ...look }) => {
    const { page, context, complaints } = await signedIn(look)
    await page.goto('/automation?tab=appointments')
    await page.getByText('Offers to the Waitlist').waitFor()
    await page.getByText('Mei Tanaka').first().waitFor()
    await expectAccessible(page, `offers, ${name}`)
    await expectNoSidewaysScroll(page)
    await takePicture(page, `slot-offers-${name}`)
    expect(complaints).toEqual([])
    await context.close()
  })
})
