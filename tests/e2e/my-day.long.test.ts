import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toLocalDate } from '#contracts/values/calendar.ts'
import { newMember } from '#tests/support/members.ts'
import { future } from '#tests/support/future-days.ts'
import { password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { newSchedulingPractice } from '#tests/modules/appointments/scheduling-practice.ts'
import { expectAccessible, launchBrowser, openWindow } from './browser.ts'
import { itLong } from '#tests/support/long.ts'

const day = future.tuesday.iso

describe('the calendar', () => {
  let app: TestApp
  let browser: Browser
  let practice: Awaited<ReturnType<typeof newSchedulingPractice>>
  let doctor: Awaited<ReturnType<typeof newMember>>
  let receptionist: Awaited<ReturnType<typeof newMember>>
  let ownersAppointment: string

  beforeAll(async () => {
    app = await startTestApp()
    browser = await launchBrowser()
    practice = await newSchedulingPractice(app, { selectedPlan: 'starter' })
    const { client, book } = practice
    doctor = await newMember(app, practice.practice.id, 'doctor')
    receptionist = await newMember(app, practice.practice.id, 'staff')
    const providerId = (await client.post('/api/providers', { name: 'Maya Chen' })).body.id as string
    expect((await client.patch(`/api/team/${doctor.user.id}`, { providerId })).status).toBe(200)
    const alan = (await client.post('/api/patients', { firstName: 'Alan', lastName: 'Turing' })).body.id as string
    ownersAppointment = (await book(`${day}T09:00`, { providerId: practice.provider.id })).id
    await book(`${day}T10:00`, { patientId: alan, providerId })
  })
  afterAll(async () => {
    await browser?.close()
    await app?.dispose()
  })

  async function openAs(email: unknown) {
    const screen = await openWindow(browser, { url: app.url })
    const reply = await screen.page.request.post('/api/login', { data: { email, password } })
    expect(reply.status()).toBe(200)
    return screen
  }
  const main = (page: Page) => page.getByRole('main')
  const grace = (page: Page) => main(page).getByRole('button', { name: /^Grace Liu, / })
  const alan = (page: Page) => main(page).getByRole('button', { name: /^Alan Turing, / })
  /** Waits for the appointments of one person, or of both, and expects nothing else. */
  async function expectShown(page: Page, who: 'grace' | 'alan' | 'both') {
    if (who !== 'alan') await grace(page).waitFor()
    if (who !== 'grace') await alan(page).waitFor()
    expect([await grace(page).count(), await alan(page).count()]).toEqual([
      who === 'alan' ? 0 : 1,
      who === 'grace' ? 0 : 1,
    ])
  }

  itLong('opens on the own schedule of a doctor, who can choose everyone and keeps that while browsing', async () => {
    const { page, complaints, context } = await openAs(doctor.registration.email)
    await page.goto('/')
    await page.getByRole('complementary').getByRole('link', { name: 'Appointments' }).click()
    await page.waitForURL(/\/appointments$/)
    await page.getByText('Maya Chen, Harbor Clinic').waitFor()
    await page.goto(`/appointments?date=${day}`)
    await expectShown(page, 'alan')
    await expectAccessible(page, 'the own schedule')
    await page.getByRole('button', { name: 'Filter, 1 active' }).press('Enter')
    const provider = page.getByLabel('Provider')
    await provider.waitFor()
    expect(await provider.locator('option:checked').textContent()).toBe('Maya Chen')
    await provider.selectOption('All providers')
    await page.waitForURL(/provider=all/)
    await page.keyboard.press('Escape')
    await page.getByText('2 providers, Harbor Clinic').waitFor()
    await expectShown(page, 'both')
    // Kept in the URL, through other days and a reload.
    await page.keyboard.press('ArrowRight')
    await page.getByRole('heading', { name: future.wednesday.long }).waitFor()
    await page.keyboard.press('ArrowLeft')
    await expectShown(page, 'both')
    await page.reload()
    await expectShown(page, 'both')
    // Back to the filter of the own schedule.
    await page.goto(`/appointments?date=${day}`)
    await expectShown(page, 'alan')
    expect(complaints).toEqual([])
    await context.close()
  })

  itLong('opens on the own schedule of the owner, and follows a link to another provider or appointment', async () => {
    const { page, complaints, context } = await openAs(practice.registration.email)
    await page.goto(`/appointments?date=${day}`)
    await expectShown(page, 'grace')
    const providers = (await practice.client.get('/api/providers')).body as { id: string; name: string }[]
    const chen = providers.find(({ name }) => name === 'Maya Chen')?.id
    await page.goto(`/appointments?date=${day}&provider=${chen}`)
    await page.getByText('Maya Chen, Harbor Clinic').waitFor()
    await expectShown(page, 'alan')
    expect(complaints).toEqual([])
    await context.close()
    // The appointment of a link is on the schedule behind its details.
    const other = await openAs(doctor.registration.email)
    await other.page.goto(`/appointments?date=${day}&appointment=${ownersAppointment}`)
    await other.page.getByRole('dialog').getByText('Grace Liu').first().waitFor()
    await other.page.waitForURL(/provider=all/)
    await other.page.keyboard.press('Escape')
    await other.page.getByRole('dialog').waitFor({ state: 'detached' })
    await expectShown(other.page, 'both')
    expect(other.complaints).toEqual([])
    await other.context.close()
  })

  it("opens on everyone's schedule for a receptionist, and leaves the dashboard the practice's", async () => {
    const { page, complaints, context } = await openAs(receptionist.registration.email)
    await page.goto(`/appointments?date=${day}`)
    await page.getByText('2 providers, Harbor Clinic').waitFor()
    await expectShown(page, 'both')
    await context.close()
    // The doctor sees on the dashboard who comes to the owner today.
    const today = toLocalDate(app.services.clock(), 'America/New_York')
    await practice.book(`${today}T12:00`, { providerId: practice.provider.id })
    const dashboard = await openAs(doctor.registration.email)
    await dashboard.page.goto('/')
    await dashboard.page.getByTestId('patient-appointment').getByText('Grace Liu').waitFor()
    expect([...complaints, ...dashboard.complaints]).toEqual([])
    await dashboard.context.close()
  })
})
