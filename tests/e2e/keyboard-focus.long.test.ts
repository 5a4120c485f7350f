import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Appointment } from '#contracts/appointments.ts'
import { future } from '#tests/support/future-days.ts'
import { newOwner, password, registrationForm } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { launchBrowser, openWindow, type Screen } from './browser.ts'
import { fillRegistration } from './sign-up-steps.ts'

const day = future.tuesday.iso

const readFocusedName = (page: Page) =>
  page.evaluate<string>(
    `(() => { const e = document.activeElement; return e === document.body ? '(body)' : e.getAttribute('aria-label') ?? (e.labels?.[0]?.textContent || e.textContent) })()`,
  )
const expectFocus = (page: Page, name: RegExp | string) =>
  expect.poll(() => readFocusedName(page)).toMatch(typeof name === 'string' ? new RegExp(`^${name}$`) : name)

describe('the focus', () => {
  let app: TestApp
  let browser: Browser
  let screen: Screen
  let owner: Awaited<ReturnType<typeof newOwner>>
  const ids = new Map<string, string>()

  beforeAll(async () => {
    app = await startTestApp()
    browser = await launchBrowser()
    owner = await newOwner(app, { selectedPlan: 'starter' })
    for (const [firstName, lastName] of [
      ['Grace', 'Hopper'],
      ['Ada', 'Lovelace'],
      ['Alan', 'Turing'],
    ] as const)
      ids.set(lastName, (await owner.client.post('/api/patients', { firstName, lastName })).body.id)
    screen = await openWindow(browser, { url: app.url })
    await screen.page.request.post('/api/login', { data: { email: owner.registration.email, password } })
  })
  afterAll(async () => {
    await browser?.close()
    await app?.dispose()
  })

  const book = (lastName: string, time: string) =>
    owner.client.post('/api/appointments', {
      patientId: ids.get(lastName),
      appointmentDate: `${day}T${time}`,
      type: 'follow-up',
    })
  const listPatientNames = async () => {
    const range = `startDate=${day}T00:00:00Z&endDate=${future.wednesday.iso}T00:00:00Z`
    const { body } = await owner.client.get(`/api/appointments?${range}`)
    return (body as Appointment[]).map(({ patient }) => patient.lastName)
  }

  it('is on nothing that a repeated Enter would act on after a cancellation, and on no button of the offer', async () => {
    const { page } = screen
    await book('Hopper', '09:00')
    await book('Lovelace', '09:30')
    await owner.client.post('/api/waitlist', { patientId: ids.get('Turing'), type: 'follow-up' })
    const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    await page.route('**/api/waitlist/candidates?*', async (route) => {
      held.resolve()
      await released.promise
      await route.continue()
    })
    await page.goto(`/appointments?date=${day}`)
    await page.getByRole('button', { name: 'Actions for Grace Hopper' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Cancel' }).press('Enter')
    await page.getByRole('button', { name: 'Cancel appointment' }).press('Enter')
    await held.promise
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    await expectFocus(page, new RegExp(future.tuesday.long))
    await page.keyboard.press('Enter')
    released.resolve()
    await page.getByRole('dialog').waitFor()
    await page.getByRole('dialog', { name: /^.*9:00 AM is free now$/ }).waitFor()
    await expectFocus(page, /9:00 AM is free now$/)
    await page.keyboard.press('Enter')
    await page.keyboard.press('Shift+Tab')
    await expectFocus(page, 'Leave it free')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await listPatientNames()).toEqual(['Lovelace'])
  })

  it('stays in the form of a patient when a medication is removed', async () => {
    const { page } = screen
    await page.goto('/patients')
    await page.getByText('3 patients').waitFor()
    await page.keyboard.press('n')
    const add = page.getByRole('button', { name: 'Add medication' })
    await add.press('Enter')
    await page.getByRole('button', { name: 'Remove medication 1' }).waitFor()
    await add.press('Enter')
    await page.getByRole('button', { name: 'Remove medication 2' }).press('Enter')
    await expectFocus(page, 'Name')
    await page.getByRole('button', { name: 'Remove medication 1' }).press('Enter')
    await expectFocus(page, 'Add medication')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it('stays in the section of the settings whose changes are discarded or whose specialty is removed', async () => {
    const { page } = screen
    await page.goto('/practice')
    await page.getByLabel('Website').fill('https://harbor.example.com')
    await page.getByRole('button', { name: 'Discard changes' }).press('Enter')
    await expectFocus(page, 'Save practice')
    const tags = page.getByRole('toolbar', { name: 'Chosen specialties' }).or(page.getByLabel('Chosen specialties'))
    const tag = tags.getByRole('button').first()
    await tag.press('Delete')
    await expectFocus(page, /^Specialt/)
    await page.getByRole('button', { name: 'Discard changes' }).press('Enter')
    await expectFocus(page, 'Save practice')
  })

  it('moves to the first invalid input on Enter in a select', async () => {
    const { page } = screen
    await page.goto('/appointments')
    await page.getByRole('button', { name: 'Add to waitlist' }).press('Enter')
    const dialog = page.getByRole('dialog')
    for (const select of ['Type', 'Provider']) {
      await dialog.getByLabel(select).press('Enter')
      await expectFocus(page, /^Patient/)
    }
    await page.keyboard.press('Escape')
    await page.goto('/patients')
    await page.getByText('3 patients').waitFor()
    await page.keyboard.press('n')
    await dialog.getByLabel('Gender').press('Enter')
    await expectFocus(page, /^First name/)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })

  it('is in the input for another time when that is chosen', async () => {
    const { page } = screen
    await page.goto(`/appointments?date=${day}`)
    await page.getByRole('button', { name: 'Schedule Appointment' }).press('Enter')
    const dialog = page.getByRole('dialog')
    const time = dialog.getByLabel(/^Time/)
    await time.focus()
    await time.selectOption('Another time...')
    await expectFocus(page, /^Time/)
    await page.keyboard.type('0115PM')
    expect(await time.inputValue()).toBe('13:15')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Discard', exact: true }).press('Enter')
    await dialog.waitFor({ state: 'detached' })
  })

  it('passes over the options of the patient picker', async () => {
    const { page } = screen
    // More than fit into the list, which scrolls then.
    for (let n = 1; n <= 9; n++)
      await owner.client.post('/api/patients', { firstName: `Rosa ${n}`, lastName: 'Martinez' })
    await page.goto(`/appointments?date=${day}`)
    await page.getByRole('button', { name: 'Actions for Ada Lovelace' }).waitFor()
    await page.keyboard.press('n')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.type('Martinez')
    await page
      .getByRole('option', { name: /Martinez/ })
      .nth(7)
      .waitFor()
    await page.keyboard.press('Tab')
    await expectFocus(page, /^Date/)
    await page.keyboard.press('Escape')
  })

  it('moves to the heading of a new screen if nothing else would have it', async () => {
    const { page, complaints, context } = await openWindow(browser, { url: app.url })
    const expectHeading = () => expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H1')
    await page.goto('/auth')
    await expectFocus(page, /^Email/)
    await page.keyboard.type(String(owner.registration.email))
    await page.getByRole('textbox', { name: 'Password' }).fill(password)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/$/)
    await expectHeading()
    // Not when a page is loaded.
    await page.reload()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await expectFocus(page, '\\(body\\)')
    await page.getByRole('link', { name: 'Patients' }).first().press('Enter')
    await page.waitForURL(/\/patients$/)
    await expectHeading()
    // A link that stays on screen keeps it, and so does a screen whose search parameters change.
    await page.getByRole('link', { name: /^Appointments/ }).press('Enter')
    await page.waitForURL(/\/appointments$/)
    await page.getByRole('button', { name: 'Add to waitlist' }).waitFor()
    await expectFocus(page, /^Appointments/)
    await page.keyboard.press('w')
    await page.waitForURL(/view=week/)
    await expectFocus(page, /^Appointments/)
    await page.getByRole('button', { name: 'Sign Out' }).press('Enter')
    await page.waitForURL(/\/auth/)
    await expectFocus(page, /^Email/)
    await page.getByRole('tab', { name: 'Register' }).click()
    await fillRegistration(page, registrationForm())
    await page.keyboard.press('Enter')
    // Registering loads the page of the welcome screen.
    await page.waitForURL('**/welcome')
    await page.getByRole('link', { name: 'See the plans' }).press('Enter')
    await page.waitForURL('**/subscription')
    await expectHeading()
    await page.goto('/welcome')
    await page.getByRole('link', { name: 'Set up your practice' }).press('Enter')
    await page.waitForURL('**/onboarding')
    await expectHeading()
    await page.getByRole('button', { name: 'Get Started' }).press('Enter')
    await expectFocus(page, 'Your practice')
    expect(complaints).toEqual([])
    await context.close()
  })

  it('leaves no warnings in the console', () => {
    expect(screen.complaints).toEqual([])
  })
})
