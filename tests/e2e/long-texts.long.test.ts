import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { subscribe, waitForUserSubscription } from '#tests/support/billing.ts'
import { newOwner, password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { expectNoSidewaysScroll, launchBrowser, listCutTexts, openWindow } from './browser.ts'

const word = 'Wolfeschlegelsteinhausenbergerdorff'
const longWord = (length: number) => word.repeat(Math.ceil(length / word.length)).slice(0, length)
const firstName = 'Maria Fernanda Guadalupe '.repeat(4).trim()
const lastName = longWord(100)
const day = '2031-03-05'

const openMenu = (item: string) => async (page: Page) => {
  await page.getByRole('button', { name: 'Actions for Maria' }).first().click()
  await page.getByRole('menuitem', { name: item }).click()
  await page.getByRole('dialog').waitFor()
}
const waitForName = (page: Page) => page.getByText(firstName).first().waitFor()

/** Screens and dialogs with texts that users chose: name, path, and how to get there. */
const screens: [name: string, path: string, open: (page: Page) => Promise<unknown>][] = [
  ['dashboard', '/', (page) => page.getByText(longWord(150)).first().waitFor()],
  ['patients', '/patients', waitForName],
  ['edit a patient', '/patients', openMenu('Edit')],
  ['day', `/appointments?date=${day}`, waitForName],
  ['week', `/appointments?date=${day}&view=week`, waitForName],
  ['list', `/appointments?date=${day}&view=list`, waitForName],
  ['edit an appointment', `/appointments?date=${day}&view=list`, openMenu('Edit')],
  [
    'filter',
    `/appointments?date=${day}`,
    async (page) => {
      await page.getByRole('button', { name: /^Filter/ }).click()
      await page.getByRole('button', { name: 'Clear filters' }).waitFor()
    },
  ],
  [
    'waitlist',
    `/appointments?date=${day}`,
    async (page) => {
      await page.getByRole('button', { name: 'Add to waitlist' }).click()
      await page.getByRole('dialog').getByLabel('Provider').waitFor()
    },
  ],
  [
    'search',
    '/patients',
    async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Find patients, appointments and screens' }).fill('guadalupe')
      await page
        .getByRole('option', { name: /^Maria/ })
        .first()
        .waitFor()
    },
  ],
  ['forms', '/forms', (page) => page.getByText(longWord(150)).first().waitFor()],
  ['insurance', '/insurance', (page) => page.getByText(longWord(50)).first().waitFor()],
  ['analytics', '/analytics', (page) => page.getByRole('combobox', { name: 'Provider' }).waitFor()],
]

describe('texts of the greatest length', () => {
  let app: TestApp
  let browser: Browser
  let owner: Awaited<ReturnType<typeof newOwner>>

  beforeAll(async () => {
    app = await startTestApp()
    browser = await launchBrowser()
    owner = await newOwner(app, { selectedPlan: 'enterprise' })
    const { client } = owner
    await subscribe(client, 'enterprise')
    await waitForUserSubscription(client, 'trial')
    const save = async (path: string, body: object) => {
      const reply = await client.post(path, body)
      expect(reply).toMatchObject({ status: 201 })
      return reply.body
    }
    await save('/api/providers', { name: longWord(100), title: longWord(60) })
    const { id: patientId } = await save('/api/patients', {
      firstName,
      lastName,
      dateOfBirth: '1996-12-09',
      phone: '617 555 0142',
    })
    const appointmentDate = `${day}T10:00`
    await save('/api/appointments', { patientId, appointmentDate, type: 'follow-up', reason: longWord(500) })
    await save('/api/forms', { patientId, formType: 'intake', title: longWord(150) })
    const insurance = { insuranceProvider: longWord(100), policyNumber: longWord(50) }
    await save('/api/insurance/verify', { patientId, ...insurance })
  })
  afterAll(async () => {
    await browser?.close()
    await app?.dispose()
  })

  it.each([
    { look: 'desktop', width: 1440, height: 900 },
    { look: 'tablet', width: 1024, height: 768 },
    { look: 'phone', width: 390, height: 844 },
  ])('fit on a $look: they wrap, or end with an ellipsis', async ({ look, width, height }) => {
    const { page, context, complaints } = await openWindow(browser, { url: app.url, width, height })
    await page.request.post('/api/login', { data: { email: owner.registration.email, password } })
    for (const [name, path, open] of screens) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await open(page)
      await expectNoSidewaysScroll(page)
      expect({ name, look, cut: await listCutTexts(page) }).toEqual({ name, look, cut: [] })
    }
    expect(complaints).toEqual([])
    await context.close()
  })

  it('leave the name of a patient readable beside date of birth and phone number', async () => {
    const { page, context } = await openWindow(browser, { url: app.url, width: 390, height: 844 })
    await page.request.post('/api/login', { data: { email: owner.registration.email, password } })
    await owner.client.post('/api/patients', {
      firstName: 'Alexandra',
      lastName: 'Konstantinopoulou',
      dateOfBirth: '1984-11-30',
      phone: '617 555 0188',
    })
    await page.goto(`/appointments?date=${day}`)
    await page.getByRole('button', { name: 'Schedule Appointment' }).first().click()
    await page.getByRole('combobox', { name: /Patient/ }).fill('konstant')
    const name = page.getByRole('option', { name: /Alexandra/ }).getByText('Alexandra Konstantinopoulou')
    await name.waitFor()
    const hidden = await name.evaluate((element) => element.scrollWidth - element.clientWidth)
    expect(hidden).toBe(0)
    await context.close()
  })
})
