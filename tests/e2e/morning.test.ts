import { resolve } from 'node:path'
import type { Browser, Request } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readAllEvents } from '#tests/support/events.ts'
import { registrationForm } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { expectNoSidewaysScroll, launchBrowser, openWindow, type Screen } from './browser.ts'
import { payButton, pays, typeCard, welcomed } from './payment-steps.ts'
import { chooseSpecialty, fillPractice, fillRegistration } from './sign-up-steps.ts'

/** One whole path, as a newcomer walks it. Each step builds on the one before. */
describe('the first morning of a practice', () => {
  let app: TestApp
  let browser: Browser
  let screen: Screen
  const person = registrationForm({ firstName: 'Maya', lastName: 'Chen' })

  beforeAll(async () => {
    app = await startTestApp()
    browser = await launchBrowser()
    screen = await openWindow(browser, { url: app.url })
  })
  afterAll(async () => {
    await browser?.close()
    await app?.dispose()
  })

  it('signs up', async () => {
    const { page } = screen
    await page.goto('/auth')
    await page.getByRole('tab', { name: 'Register' }).click()
    await fillRegistration(page, person)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/welcome')
    await expect.poll(() => page.getByText('Maya').count()).toBeGreaterThan(0)
    await page.getByText('or ask the operator of this installation').waitFor()
  })

  it('sets the practice up, and goes on after a reload where it was', async () => {
    const { page } = screen
    await page.goto('/')
    await page.getByRole('button', { name: 'Get Started' }).click()
    await fillPractice(page)
    await page.reload()
    expect(await page.getByLabel('Practice name').inputValue()).toBe('Harbor Clinic')
    await page.getByRole('button', { name: 'Complete Setup' }).click()
    // Nothing is sent before a specialty is chosen.
    await expect.poll(() => page.getByText('Please select at least one specialty').count()).toBe(1)
    await chooseSpecialty(page)
    await page.getByRole('button', { name: 'Complete Setup' }).click()
    await page.getByText('Stay Updated').waitFor()
    await page.reload()
    await page.getByText('Stay Updated').waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()
    expect(await page.getByRole('button', { name: 'Complete Setup' }).isDisabled()).toBe(true)
    await page.getByRole('radio', { name: /Professional/ }).click()
    await page.getByRole('button', { name: 'Complete Setup' }).click()
    // A demo practice holds 500 patients, fewer than the next step brings: the plan is paid at once.
    await page.getByRole('button', { name: 'Enter Application' }).click()
    await typeCard(page, pays)
    await payButton(page).click()
    await welcomed(page)
  })

  it('brings the patients over from the old system', async () => {
    const { page } = screen
    await page.goto('/patients')
    await page.getByText('No patients registered yet').waitFor()
    await page
      .getByRole('link', { name: /import/i })
      .first()
      .click()
    await page.setInputFiles('input[type=file]', resolve('tests/fixtures/patients-synthea.csv'))
    await page.getByText('595 Greenfelder Knoll').waitFor()
    await page.getByRole('button', { name: 'Check the rows' }).click()
    await page.getByRole('button', { name: 'Import 555 patients' }).click()
    await page.getByRole('button', { name: /undo import/i }).waitFor()
    await page.goto('/patients')
    await page.getByText('555 patients').waitFor()
  })

  it('finds a patient by a misspelt name and corrects the phone number', async () => {
    const { page } = screen
    await page.getByPlaceholder('Search patients by name, email...').fill('Kirlinn Theda')
    await page.getByRole('row', { name: /Theda286 Kirlin939/ }).waitFor()
    await page.waitForURL(/search=/)
    await page
      .getByRole('row', { name: /Theda286 Kirlin939/ })
      .getByRole('button')
      .last()
      .click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Phone', { exact: true }).first().fill('617 555 0142')
    await page.keyboard.press('Enter')
    await page.getByText('Patient updated successfully').waitFor()
    await page.getByText('(617) 555-0142').waitFor()
  })

  it('works on a phone', async () => {
    const { page } = screen
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/patients?search=Kirlinn')
    await page.getByText('Theda286 Kirlin939').waitFor()
    await expectNoSidewaysScroll(page)
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it('signs out, and shows nothing any more', async () => {
    const { page } = screen
    // The bell is loaded after the screen.
    const bell = page.waitForResponse(/\/api\/notifications/)
    await page.goto('/')
    // These panels send the last requests, which would be counted.
    for (const text of ['Background work', 'No appointments scheduled for today', 'No appointments in this period'])
      await page.getByText(text, { exact: true }).waitFor()
    await bell
    const afterwards: string[] = []
    const record = (request: Request) => afterwards.push(new URL(request.url()).pathname)
    // Until the reply, the screen may still be loading.
    page.on('response', (response) => {
      if (new URL(response.url()).pathname === '/api/logout') page.on('request', record)
    })
    await page.getByRole('button', { name: 'Sign Out' }).click()
    await page.getByText('You have been successfully logged out.').waitFor()
    page.off('request', record)
    expect(afterwards.filter((path) => path.startsWith('/api/') && path !== '/api/user')).toEqual([])
    await page.goto('/patients')
    await page.waitForURL(/\/auth/)
    expect(await page.getByText('Kirlin939').count()).toBe(0)
  })

  it('leaves no warnings in the console, and events that show an auditor who did what', async () => {
    expect(screen.complaints).toEqual([])
    const events = await readAllEvents(app.services.store)
    const { rows } = await app.services.pool.query<{ user_id: string }>('select user_id from read.users')
    const userId = rows[0]?.user_id
    const changed = events.filter(({ type }) => type === 'PatientContactChanged')
    expect(changed).toHaveLength(1)
    expect(changed[0]?.metadata.actor).toEqual({ kind: 'user', userId, role: 'staff' })
    expect(events.filter(({ type }) => type === 'PatientRegistered')).toHaveLength(555)
    const types = new Set(events.map(({ type }) => type))
    for (const type of [
      'UserRegistered',
      'SignedIn',
      'PracticeSetUp',
      'PracticeSetupCompleted',
      'ImportRequested',
      'ImportFinished',
      'SignedOut',
    ])
      expect(types).toContain(type)
    const secrets = [person.email, 'Chen', 'Theda286', 'Kirlin939', '5550142']
    for (const event of events) {
      const unencrypted = JSON.stringify([event.stream, event.metadata])
      for (const secret of secrets) expect(unencrypted).not.toContain(secret)
    }
  })
})
