import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { subscribe, waitForUserSubscription } from '#tests/support/billing.ts'
import { newOwner, password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { expectNoSidewaysScroll, launchBrowser, openWindow } from './browser.ts'

/** The number of pages of a PDF file as Chromium writes it. */
const countPages = (pdf: Buffer) => pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length

describe('paper', () => {
  let app: TestApp
  let browser: Browser
  let owner: Awaited<ReturnType<typeof newOwner>>
  let patientId: string

  beforeAll(async () => {
    app = await startTestApp()
    browser = await launchBrowser()
    owner = await newOwner(app, { selectedPlan: 'enterprise' })
    await subscribe(owner.client, 'enterprise')
    await waitForUserSubscription(owner.client, 'trial')
    const { body } = await owner.client.post('/api/patients', {
      firstName: 'Grace',
      lastName: 'Hopper',
      medicalHistory: Array.from({ length: 80 }, (_, index) => `Entry ${index + 1}`).join('\n'),
      notes: 'The last line of the record',
    })
    patientId = body.id
    const reason = 'A reason that is longer than a drawer is wide, and therefore ends with an ellipsis on the screen'
    const appointment = { patientId, appointmentDate: '2031-03-05T10:00', type: 'follow-up', reason }
    expect((await owner.client.post('/api/appointments', appointment)).status).toBe(201)
  })
  afterAll(async () => {
    await browser?.close()
    await app?.dispose()
  })

  const openSignedIn = async (path: string) => {
    const screen = await openWindow(browser, { url: app.url, dark: true, width: 816, height: 1056 })
    await screen.page.request.post('/api/login', { data: { email: owner.registration.email, password } })
    await screen.page.goto(path)
    return screen
  }

  it('has the whole record of a patient, without the list below and the buttons', async () => {
    const { page, context, complaints } = await openSignedIn(`/patients/${patientId}`)
    const drawer = page.getByRole('dialog', { name: 'Patient Details' })
    await drawer.getByText('The last line of the record').waitFor()
    await drawer.getByText('A reason that is longer').waitFor()
    const printed = page.evaluate('new Promise((resolve) => (globalThis.print = () => resolve(true)))')
    await drawer.getByRole('button', { name: 'Print the record' }).click()
    expect(await printed).toBe(true)

    await page.emulateMedia({ media: 'print' })
    await page.getByText(/^Harbor Clinic, printed on \w{3} \d+, 20\d\d$/).waitFor()
    expect(await page.locator('#root').isVisible()).toBe(false)
    expect(await drawer.getByRole('button', { name: 'Close' }).count()).toBe(0)
    const reason = drawer.getByText('A reason that is longer')
    expect(await reason.evaluate((text) => text.scrollWidth - text.clientWidth)).toBe(0)
    await expectNoSidewaysScroll(page)
    expect(countPages(await page.pdf({ format: 'Letter' }))).toBeGreaterThan(1)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('has an open dialog without the screen below', async () => {
    const { page, context, complaints } = await openSignedIn('/appointments?date=2031-03-05')
    await page
      .getByRole('button', { name: /^Grace Hopper/ })
      .first()
      .click()
    const dialog = page.getByRole('dialog', { name: 'Appointment Details' })
    await dialog.getByText('A reason that is longer').waitFor()
    await page.emulateMedia({ media: 'print' })
    await expect.poll(() => page.locator('#root').isVisible()).toBe(false)
    expect(await dialog.getByText('A reason that is longer').isVisible()).toBe(true)
    expect(await dialog.getByRole('button', { name: 'Close' }).count()).toBe(0)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('has every day of a week', async () => {
    const { page, context, complaints } = await openSignedIn('/appointments?date=2031-03-05&view=week')
    await page.getByRole('button', { name: /^10:00 AM Grace Hopper/ }).waitFor()
    await page.emulateMedia({ media: 'print' })
    const days = page.locator('[data-print=day]')
    await expect.poll(() => days.count()).toBe(7)
    const texts = await days.allInnerTexts()
    expect(texts[0]).toContain('Sunday, March 2, 2031')
    expect(texts.map((text) => text.includes('Grace Hopper'))).toEqual([false, false, false, true, false, false, false])
    await expectNoSidewaysScroll(page)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('is white with dark text in the dark theme too, and says what it shows', async () => {
    const { page, context, complaints } = await openSignedIn('/analytics?type=follow-up')
    const choice = page.getByText('Only appointments and revenue are limited to Follow-up.')
    await choice.waitFor()
    const title = page.getByRole('heading', { level: 1, name: 'Practice Analytics' })
    const brightness = async () => {
      const color = await page.evaluate<string>(`getComputedStyle(document.querySelector('h1')).color`)
      return Math.max(...(color.match(/\d+/g) ?? []).map(Number))
    }
    expect(await brightness()).toBeGreaterThan(200)
    await page.emulateMedia({ media: 'print' })
    await expect.poll(brightness).toBeLessThan(50)
    expect(await title.isVisible()).toBe(true)
    expect(await page.getByText(/, compared with the 3 months before$/).isVisible()).toBe(true)
    expect(await choice.isVisible()).toBe(true)
    expect(await page.getByRole('button', { name: 'Print' }).isVisible()).toBe(false)
    await page.emulateMedia({ media: 'screen' })
    await expect.poll(brightness).toBeGreaterThan(200)
    expect(complaints).toEqual([])
    await context.close()
  })
})
