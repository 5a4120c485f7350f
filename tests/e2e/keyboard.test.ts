import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newOwner, password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { itLong } from '#tests/support/long.ts'
import { keepToasts, launchBrowser, openWindow, type Screen } from './browser.ts'

const readFocusedName = (page: Page) =>
  page.evaluate<string>(
    `(() => { const e = document.activeElement; return e?.getAttribute('aria-label') ?? (e?.labels?.[0]?.textContent || e?.textContent) ?? '' })()`,
  )
const expectFocus = (page: Page, name: RegExp) => expect.poll(() => readFocusedName(page)).toMatch(name)

/** Presses Tab until an element with this name has the focus; fails after `maxSteps`. */
async function tabTo(page: Page, name: RegExp | string, maxSteps = 40): Promise<void> {
  const matches = (text: string) => (typeof name === 'string' ? text === name : name.test(text))
  for (let n = 0; n < maxSteps; n++) {
    const focused = await readFocusedName(page)
    if (matches(focused.trim().replace(/\*$/, ''))) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach ${name}`)
}

describe('with the keyboard alone', () => {
  let app: TestApp
  let browser: Browser
  let screen: Screen
  let owner: Awaited<ReturnType<typeof newOwner>>

  beforeAll(async () => {
    app = await startTestApp()
    browser = await launchBrowser()
    screen = await openWindow(browser, { url: app.url })
    owner = await newOwner(app, { selectedPlan: 'starter' })
    await owner.client.post('/api/patients', { firstName: 'Grace', lastName: 'Hopper', dateOfBirth: '1996-12-09' })
    await owner.client.post('/api/patients', { firstName: 'Ada', lastName: 'Lovelace' })
  })
  afterAll(async () => {
    await browser?.close()
    await app?.dispose()
  })

  itLong('does not trap the focus in a toast', async () => {
    const { page } = screen
    await page.goto('/auth')
    await page.getByRole('button', { name: 'Sign In', exact: true }).waitFor()
    await page.keyboard.type('unknown@example.com')
    await tabTo(page, 'Password')
    await page.keyboard.type('not the password')
    await page.keyboard.press('Enter')
    await page.getByText('Login failed').waitFor()
    await tabTo(page, 'Create a free account')
    await tabTo(page, 'Email')
  })

  itLong('removes a toast at a click, from what it covers on a phone', async () => {
    const { page, context } = await openWindow(browser, { width: 390, height: 844, url: app.url })
    await page.goto('/auth')
    await keepToasts(page)
    await page.getByRole('textbox', { name: 'Email' }).fill('unknown@example.com')
    await page.getByRole('textbox', { name: 'Password' }).fill('not the password')
    await page.keyboard.press('Enter')
    await page.locator('.fui-Toast').click()
    await page.locator('.fui-Toast').waitFor({ state: 'detached' })
    await context.close()
  })

  it('signs in, and returns to the requested screen', async () => {
    const { page } = screen
    await page.goto('/patients')
    await page.getByRole('button', { name: 'Sign In', exact: true }).waitFor()
    await tabTo(page, 'Email')
    await page.keyboard.type(String(owner.registration.email))
    await tabTo(page, 'Password')
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/patients')
    await page.getByText('2 patients').waitFor()
  })

  it('adds a patient', async () => {
    const { page } = screen
    await page.keyboard.press('n')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.type('Alan')
    await tabTo(page, 'Last name')
    await page.keyboard.type('Turing')
    await page.keyboard.press('Enter')
    await page.getByText('Patient added successfully').waitFor()
    await page.getByText('3 patients').waitFor()
  })

  it('gives the page back to screen readers when the dialog that was opened first is closed', async () => {
    const { page, context } = await openWindow(browser, { url: app.url })
    await page.request.post('/api/login', { data: { email: owner.registration.email, password } })
    // Nothing else that manages the focus is loaded, as before a slow device has found the time for it.
    await page.addInitScript('window.requestIdleCallback = () => 0')
    await page.goto('/patients')
    for (let n = 0; n < 2; n++) {
      await page.getByRole('button', { name: 'Add Patient' }).click()
      await page.getByRole('dialog', { name: 'Add Patient' }).waitFor()
      const hidden = page.locator('#root[aria-hidden=true]')
      await expect.poll(() => hidden.count()).toBe(1)
      await page.keyboard.press('Escape')
      await expect.poll(() => hidden.count()).toBe(0)
    }
    await context.close()
  })

  it('searches, moves through the rows and opens one', async () => {
    const { page } = screen
    await page.keyboard.press('/')
    await page.keyboard.type('hoper')
    await page.getByText('1 patient').first().waitFor()
    await tabTo(page, /Grace Hopper/)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/patients\/[0-9a-f-]{36}/)
    await page.getByText('Patient Details').waitFor()
    await tabTo(page, 'Edit Patient')
    await page.keyboard.press('Enter')
    await page.getByText('Edit Grace Hopper').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('Edit Grace Hopper').waitFor({ state: 'detached' })
    // The focus returns to the button in the drawer; a second Escape closes it.
    await expectFocus(page, /^Edit Patient$/)
    await page.keyboard.press('Escape')
    await page.waitForURL(/\/patients\?/)
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  itLong('asks for confirmation before discarding input', async () => {
    const { page } = screen
    await page.keyboard.press('n')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.type('Half')
    await page.keyboard.press('Escape')
    await page
      .getByText(/discard/i)
      .first()
      .waitFor()
    await page.keyboard.press('Escape')
    expect(await page.getByLabel('First name').inputValue()).toBe('Half')
  })

  itLong('deletes once when Enter is pressed repeatedly', async () => {
    const { page } = screen
    await page.goto('/patients?search=turing')
    await page.getByText('1 patient').first().waitFor()
    await page.keyboard.press('/')
    await tabTo(page, /Alan Turing/)
    await page.keyboard.press('Delete')
    await page.getByText('Delete Alan Turing?').waitFor()
    await page.getByText('Looking for coming appointments...').waitFor({ state: 'detached' })
    await tabTo(page, 'Delete patient')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.getByText('Patient deleted').waitFor()
    await page.getByText('No patients found matching your search').waitFor()
    expect(await page.getByText('Failed to delete patient').count()).toBe(0)
  })

  itLong('keeps the input when the session has expired', async () => {
    const { page, context } = screen
    await page.goto('/patients')
    await page.getByText('2 patients').waitFor()
    await page.keyboard.press('n')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.type('Barbara')
    await tabTo(page, 'Last name')
    await page.keyboard.type('Liskov')
    const cookies = await context.cookies()
    await context.clearCookies()
    // The palette does not open over a form, and no request of its own redirects to sign-in.
    await page.keyboard.press('Control+k')
    await page.keyboard.press('Enter')
    await page.getByText('You were signed out').waitFor()
    expect(await page.getByLabel('First name').inputValue()).toBe('Barbara')
    await context.addCookies(cookies)
    await tabTo(page, 'Add Patient')
    await page.keyboard.press('Enter')
    await page.getByText('Patient added successfully').waitFor()
  })

  itLong('searches patients, appointments and screens in the palette, and lists the shortcuts', async () => {
    const { page } = screen
    const [{ id: patientId }] = (await owner.client.get('/api/patients?search=lovelace')).body
    await owner.client.post('/api/appointments', { patientId, appointmentDate: '2031-03-05T09:00', type: 'follow-up' })
    await page.goto('/')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('?')
    await page.getByText('Find patients, appointments and screens').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Find patients, appointments and screens' }).waitFor()
    await page.keyboard.type('lovelace')
    await page
      .getByRole('option', { name: /Ada Lovelace/ })
      .first()
      .waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/patients\/[0-9a-f-]{36}/)
    await page.goto('/')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Find patients, appointments and screens' }).waitFor()
    await page.keyboard.type('Mar 5, 2031')
    await page.getByRole('option', { name: /Ada Lovelace.*Mar 5, 2031, 9:00 AM, Follow-up/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Appointment Details' }).getByText('March 5, 2031').waitFor()
    await page.keyboard.press('Escape')
    await page.waitForURL(/\/appointments\?date=2031-03-05$/)
    expect(screen.complaints).toEqual([])
  })

  itLong('returns the focus from the shortcut list, the assistant and a patient opened from the palette', async () => {
    const { page } = screen
    await page.goto('/patients')
    await page.getByText(/\d patients/).waitFor()
    await tabTo(page, 'AI Assistant')
    for (const [key, text] of [
      ['?', 'Show keyboard shortcuts'],
      ['Enter', 'Powered by rules'],
    ] as const) {
      await page.keyboard.press(key)
      await page.getByText(text).waitFor()
      await page.keyboard.press('Escape')
      await page.getByText(text).waitFor({ state: 'detached' })
      await expectFocus(page, /^AI Assistant$/)
    }
    await page.keyboard.press('Control+k')
    await page.keyboard.type('lovelace')
    await page
      .getByRole('option', { name: /Ada Lovelace/ })
      .first()
      .waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('Patient Details').waitFor()
    await expectFocus(page, /^Ada Lovelace$/)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expectFocus(page, /^AI Assistant$/)
  })

  itLong('returns the focus after dialogs that follow one another, and to the day after a cancellation', async () => {
    const { page } = screen
    await page.goto('/appointments?date=2031-03-05')
    await page.getByRole('button', { name: /^Ada Lovelace/ }).waitFor()
    const choose = async (item: string) => {
      await page.keyboard.press('Enter')
      await page.getByRole('menuitem', { name: item }).waitFor()
      for (let n = 0; n < 10 && (await readFocusedName(page)) !== item; n++) await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
    }
    await tabTo(page, /^Actions for Ada Lovelace/, 80)
    await choose('View Details')
    await page.getByRole('dialog', { name: 'Appointment Details' }).waitFor()
    await tabTo(page, 'Confirm')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Confirm', exact: true }).waitFor({ state: 'detached' })
    await expectFocus(page, /^Arrived$/)
    await tabTo(page, 'Edit')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Edit appointment of Ada Lovelace' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expectFocus(page, /^Actions for Ada Lovelace/)
    await choose('Cancel')
    await page.getByRole('alertdialog').waitFor()
    await tabTo(page, 'Cancel appointment')
    await page.keyboard.press('Enter')
    await page.getByText('No appointments scheduled for this date').waitFor()
    await expectFocus(page, /March 5, 2031/)
    expect(screen.complaints).toEqual([])
  })

  itLong('moves the focus to the first input that is missing', async () => {
    const { page } = screen
    await page.goto('/appointments')
    await page.getByRole('button', { name: 'Add to waitlist' }).waitFor()
    await page.keyboard.press('n')
    await page.getByRole('dialog').waitFor()
    await tabTo(page, /^Reason/)
    await page.keyboard.press('Enter')
    await page.getByText('Please choose a patient').waitFor()
    await page.getByText('Please choose a type').waitFor()
    await expectFocus(page, /^Patient/)
    // Adding a new patient, the message stays.
    await page.keyboard.type('Zyx')
    await page.getByText('No patient found').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('group', { name: 'New patient' }).waitFor()
    await page.getByText('Please choose a patient').waitFor()
    await tabTo(page, /^Reason/)
    await page.keyboard.press('Enter')
    await expectFocus(page, /^First name/)
    await tabTo(page, 'Back to search')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await tabTo(page, 'Add to waitlist', 80)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await tabTo(page, /^Last day/)
    await page.keyboard.press('Enter')
    await page.getByText('Please choose a patient').waitFor()
    await expectFocus(page, /^Patient/)
    await page.keyboard.type('Lovelace')
    await page
      .getByRole('option', { name: /Ada Lovelace/ })
      .first()
      .waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('Please choose a patient').waitFor({ state: 'detached' })
    await expectFocus(page, /^Type/)
    await tabTo(page, /^Last day/)
    await page.keyboard.press('Enter')
    await expectFocus(page, /^Type/)
    expect(screen.complaints).toEqual([])
  })
})
