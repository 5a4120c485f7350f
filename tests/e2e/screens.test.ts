import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newOwner, newUser, password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  expectToastAccessible,
  keepToasts,
  launchBrowser,
  openWindow,
  type Screen,
} from './browser.ts'
import { everyLook, looks } from './looks.ts'

/** Screens with their paths, and how to wait until they are ready. */
const publicScreens: [name: string, path: string, ready: (page: Page) => Promise<unknown>][] = [
  ['landing', '/', (page) => page.getByRole('heading', { level: 1 }).waitFor()],
  ['login', '/auth', (page) => page.getByRole('button', { name: 'Sign In' }).waitFor()],
  ['register', '/auth?tab=register', (page) => page.getByLabel('Username').waitFor()],
  ['pricing', '/pricing', (page) => page.getByRole('heading', { level: 1, name: 'Simple pricing' }).waitFor()],
  ['404', '/nowhere/at/all', (page) => page.getByText('404 Page Not Found').waitFor()],
]

const practiceScreens: typeof publicScreens = [
  ['dashboard', '/', (page) => page.getByText('Dashboard Overview').waitFor()],
  ['patients', '/patients', (page) => page.getByText('Hopper').first().waitFor()],
  [
    'patients, nothing found',
    '/patients?search=qqqqqq',
    (page) => page.getByText('No patients found matching your search').waitFor(),
  ],
  ['import', '/patients/import', (page) => page.locator('input[type=file]').waitFor({ state: 'attached' })],
  ['a future screen', '/forms', (page) => page.getByText('Coming in the next version').waitFor()],
  ['welcome', '/welcome', (page) => page.getByRole('heading', { level: 1 }).waitFor()],
]

const setupScreens: typeof publicScreens = [
  ['the wizard', '/onboarding', (page) => page.getByRole('button', { name: 'Get Started' }).waitFor()],
]

describe('every screen', () => {
  let app: TestApp
  let browser: Browser
  let owner: Awaited<ReturnType<typeof newOwner>>
  let beginner: Awaited<ReturnType<typeof newUser>>
  let patientId: string

  beforeAll(async () => {
    app = await startTestApp()
    browser = await launchBrowser()
    owner = await newOwner(app, { selectedPlan: 'starter' })
    beginner = await newUser(app)
    const { body } = await owner.client.post('/api/patients', {
      firstName: 'Grace',
      lastName: 'Hopper',
      dateOfBirth: '1996-12-09',
      email: 'grace@example.test',
      phone: '617 555 0142',
      allergies: ['Penicillin'],
      medications: [{ name: 'Metformin', dosage: '500 mg', frequency: 'twice a day' }],
      medicalHistory: 'Type 2 diabetes, since 2023',
      emergencyContact: { name: 'Luis', relationship: 'husband', phone: '617 555 0143' },
    })
    patientId = body.id
    await owner.client.post('/api/patients', { firstName: 'Ada', lastName: 'Lovelace', deceasedOn: '2020-01-02' })
    await owner.client.post('/api/patients', { firstName: 'x'.repeat(100), lastName: 'أبو الحسن'.repeat(8) })
  })
  afterAll(async () => {
    await browser?.close()
    await app?.dispose()
  })

  async function signedIn(look: (typeof looks)[number], who: typeof beginner): Promise<Screen> {
    const screen = await openWindow(browser, { ...look, url: app.url })
    await screen.page.request.post('/api/login', { data: { email: who.registration.email, password } })
    return screen
  }

  async function lookAt(screen: Screen, screens: typeof publicScreens, look: string): Promise<void> {
    for (const [name, path, ready] of screens) {
      await screen.page.goto(path)
      await ready(screen.page)
      await expectAccessible(screen.page, `${name}, ${look}`)
      await expectNoSidewaysScroll(screen.page)
    }
    expect(screen.complaints).toEqual([])
  }

  it.each(looks)('is accessible and fits before signing in: $name', async (look) => {
    await lookAt(await openWindow(browser, { ...look, url: app.url }), publicScreens, look.name)
  })

  it.each(looks)('is accessible and fits in a practice: $name', async (look) => {
    const screen = await signedIn(look, owner)
    const details: (typeof publicScreens)[number] = [
      'details',
      `/patients/${patientId}`,
      (page) => page.getByText('Penicillin').waitFor(),
    ]
    await lookAt(screen, [...practiceScreens, details], look.name)
  })

  it.each(looks)('is accessible and fits before a practice is set up: $name', async (look) => {
    const screen = await signedIn(look, beginner)
    await lookAt(screen, setupScreens, look.name)
    await screen.page.getByRole('button', { name: 'Get Started' }).click()
    await screen.page.getByLabel('Practice name').waitFor()
    await screen.page.getByRole('button', { name: 'Complete Setup' }).click()
    await screen.page.getByText('Please enter a complete address').waitFor()
    await expectAccessible(screen.page, `the practice form, refused, ${look.name}`)
    await expectNoSidewaysScroll(screen.page)
  })

  it.each(looks)('opens its dialogs accessibly: $name', async (look) => {
    const { page, complaints } = await signedIn(look, owner)
    await page.goto('/patients')
    await page.getByText('Hopper').first().waitFor()
    await page.getByRole('button', { name: 'Add Patient' }).click()
    await page.getByRole('dialog').waitFor()
    await expectAccessible(page, `add patient, ${look.name}`)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Find a patient or a screen' }).fill('hoper')
    await page.getByRole('option', { name: /Grace Hopper/ }).waitFor()
    await expectAccessible(page, `command palette, ${look.name}`)
    expect(complaints).toEqual([])
  })

  it.each(everyLook)('says accessibly what failed and what is done: $name', async (look) => {
    const { body } = await owner.client.post('/api/patients', { firstName: 'Nora', lastName: 'Leaving' })
    const { page } = await signedIn(look, owner)
    await page.goto('/patients?search=leaving')
    await keepToasts(page)
    await page.getByRole('button', { name: 'Actions for Nora Leaving' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    const sure = page.getByRole('alertdialog').getByRole('button', { name: 'Delete patient' })
    const path = `**/api/patients/${body.id}`
    await page.route(path, (route) => (route.request().method() === 'DELETE' ? route.abort() : route.continue()))
    await sure.click()
    await expectToastAccessible(page, 'Failed to delete patient', look.name)
    await page.unroute(path)
    await sure.click()
    await expectToastAccessible(page, 'Patient deleted', look.name)
    await page.context().close()
  })
})
