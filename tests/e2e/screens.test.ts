import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newSubscriber } from '#tests/support/billing.ts'
import { newOwner, newUser, password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import {
  expectAccessible,
  expectNoFocusHelper,
  expectNoSidewaysScroll,
  expectToastAccessible,
  keepToasts,
  listControlsUnderToast,
  launchBrowser,
  openWindow,
  type Screen,
} from './browser.ts'
import { looks, screenLooks } from './looks.ts'
import { itLong } from '#tests/support/long.ts'

/** Screens with their paths, and how to wait until they are ready. */
const publicScreens: [name: string, path: string, ready: (page: Page) => Promise<unknown>][] = [
  ['login', '/auth', (page) => page.getByRole('button', { name: 'Sign In', exact: true }).waitFor()],
  ['register', '/auth?tab=register', (page) => page.getByLabel('Username').waitFor()],
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
  ['settings', '/practice', (page) => page.getByLabel('Practice name').waitFor()],
  ['team', '/team', (page) => page.getByText('No open invitations').waitFor()],
  ['automation of the demo', '/automation', (page) => page.getByText('$14,250').waitFor()],
  ['forms', '/forms', (page) => page.getByText('No forms yet').waitFor()],
  ['insurance of the demo', '/insurance', (page) => page.getByText('Upgrade to use Insurance Verification').waitFor()],
  ['insights of the demo', '/ai-insights', (page) => page.getByText('Upgrade to use AI Insights').waitFor()],
  ['welcome', '/welcome', (page) => page.getByRole('heading', { level: 1 }).waitFor()],
]

/** Dialogs with the path of their screen, and how to open them. */
const dialogs: [name: string, path: string, open: (page: Page) => Promise<unknown>][] = [
  [
    'appointment details',
    '/appointments?date=2031-03-05',
    async (page) => {
      await page.getByRole('button', { name: /^Grace Hopper, 10:00 AM/ }).click()
      await page.getByRole('dialog', { name: 'Appointment Details' }).waitFor()
    },
  ],
  [
    'edit appointment',
    '/appointments?date=2031-03-05&view=list',
    async (page) => {
      await page.getByRole('button', { name: /^Actions for Grace Hopper/ }).click()
      await page.getByRole('menuitem', { name: 'Edit' }).click()
      await page.getByRole('dialog', { name: 'Edit appointment of Grace Hopper' }).waitFor()
    },
  ],
  [
    'waitlist',
    '/appointments?date=2031-03-05',
    async (page) => {
      await page.getByRole('button', { name: 'Add to waitlist' }).click()
      await page.getByRole('dialog').waitFor()
    },
  ],
  [
    'delete a patient with appointments',
    '/patients?search=hopper',
    async (page) => {
      await page.getByRole('button', { name: 'Actions for Grace Hopper' }).click()
      await page.getByRole('menuitem', { name: 'Delete' }).click()
      await page.getByText('This cancels the coming appointment:').waitFor()
    },
  ],
  [
    'an account is needed',
    '/demo',
    async (page) => {
      await page.getByRole('button', { name: 'Quick Add' }).click()
      await page.getByRole('menuitem').first().click()
      await page.getByRole('alertdialog', { name: 'Create a free account first' }).waitFor()
    },
  ],
]

const phone = { name: 'phone', dark: false, width: 390, height: 844 }

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
    const booking = { patientId, appointmentDate: '2031-03-05T10:00', type: 'follow-up', reason: 'Blood pressure' }
    expect((await owner.client.post('/api/appointments', booking)).status).toBe(201)
    await owner.client.post('/api/patients', { firstName: 'Ada', lastName: 'Lovelace', deceasedOn: '2020-01-02' })
    await owner.client.post('/api/patients', { firstName: 'x'.repeat(100), lastName: 'أبو الحسن'.repeat(8) })
  })
  afterAll(async () => {
    await browser?.close()
    await app?.dispose()
  })

  async function signedIn(look: (typeof screenLooks)[number], who: typeof beginner): Promise<Screen> {
    const screen = await openWindow(browser, { ...look, url: app.url })
    await screen.page.request.post('/api/login', { data: { email: who.registration.email, password } })
    return screen
  }

  async function lookAt(screen: Screen, screens: typeof publicScreens, look: string): Promise<void> {
    for (const [name, path, ready] of screens) {
      await screen.page.goto(path)
      await ready(screen.page)
      await expectAccessible(screen.page, `${name}, ${look}`)
      await expectNoFocusHelper(screen.page, `${name}, ${look}`)
      await expectNoSidewaysScroll(screen.page)
    }
    expect(screen.complaints).toEqual([])
  }

  itLong.each(screenLooks)('is accessible and fits before signing in: $name', async (look) => {
    await lookAt(await openWindow(browser, { ...look, url: app.url }), publicScreens, look.name)
  })

  itLong('keeps the way to sign out in view in a low window', async () => {
    const { page, context } = await signedIn({ name: 'low', dark: false, width: 1093, height: 560 }, owner)
    await page.goto('/patients')
    const box = await page.getByRole('button', { name: 'Sign Out' }).boundingBox()
    expect((box?.y ?? 560) + (box?.height ?? 0)).toBeLessThanOrEqual(560)
    // The keyboard reaches what is behind it, and brings it above.
    await page.getByRole('link', { name: 'Subscription' }).focus()
    const link = await page.getByRole('link', { name: 'Subscription' }).boundingBox()
    const account = await page.getByText('Ada Okafor').first().boundingBox()
    expect((link?.y ?? 560) + (link?.height ?? 0)).toBeLessThanOrEqual(account?.y ?? 0)
    await context.close()
  })

  itLong('shows the description of the API from its own files, as the security policy allows', async () => {
    const { page, complaints } = await openWindow(browser, { url: app.url })
    const foreign: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(app.url) && !request.url().startsWith('data:')) foreign.push(request.url())
    })
    await page.goto('/api/docs')
    await page.getByRole('heading', { name: 'Everchart API' }).waitFor()
    // Every group is listed, and opens.
    await page.locator('[data-tag="working-hours"]').waitFor()
    await page.locator('[data-tag="patients"]').click()
    const operation = page.getByRole('button', { name: /^get \/api\/patients list patients$/i })
    await operation.click()
    await page.getByText('Requires the permission patients:read').waitFor()
    // Requests are not sent from this page.
    expect(await page.getByRole('button', { name: 'Try it out' }).count()).toBe(0)
    expect([complaints, foreign]).toEqual([[], []])
    await page.context().close()
  })

  it.each(screenLooks)('is accessible and fits in a practice: $name', async (look) => {
    const screen = await signedIn(look, owner)
    const details: (typeof publicScreens)[number] = [
      'details',
      `/patients/${patientId}`,
      (page) => page.getByText('Penicillin').waitFor(),
    ]
    await lookAt(screen, [...practiceScreens, details], look.name)
  })

  it.each(['/dashboard', '/patients', '/appointments'])('asks for the data of %s once', async (path) => {
    const subscriber = await newSubscriber(app)
    await subscriber.client.post('/api/patients', { firstName: 'Grace', lastName: 'Hopper' })
    const screen = await signedIn(phone, subscriber)
    const requests: string[] = []
    screen.page.on('request', (request) => {
      const { pathname, search } = new URL(request.url())
      if (pathname.startsWith('/api/')) requests.push(`${request.method()} ${pathname}${search}`)
    })
    // The notifications are among the last.
    const last = screen.page.waitForResponse((response) => response.url().endsWith('/api/notifications'))
    await screen.page.goto(path)
    await last
    await screen.page.getByRole('heading', { level: 1 }).waitFor()
    expect(requests.length).toBeGreaterThan(5)
    expect(requests.filter((request, index) => requests.indexOf(request) !== index)).toEqual([])
    expect(screen.complaints).toEqual([])
    await screen.context.close()
  })

  it('asks nothing before visitors sign in', async () => {
    const { page, complaints, context } = await openWindow(browser, { ...phone, url: app.url })
    const requests: string[] = []
    page.on('request', (request) => requests.push(new URL(request.url()).pathname))
    await page.goto('/auth')
    await page.getByRole('button', { name: 'Sign In', exact: true }).waitFor()
    expect(requests).toContain('/auth')
    expect(requests.filter((path) => path.startsWith('/api/'))).toEqual([])
    await expectNoFocusHelper(page, 'sign-in')
    expect(complaints).toEqual([])
    await context.close()
  })

  it('says when the code of a dialog does not arrive, and opens it when it does', async () => {
    const { page, context } = await signedIn(phone, owner)
    const code = '**/assets/patient-dialogs-*.js'
    await page.route(code, (route) => route.abort())
    await page.goto('/patients')
    await page.getByRole('button', { name: 'Add Patient' }).click()
    await page.getByText('This screen could not be shown').waitFor()
    await page.unroute(code)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('button', { name: 'Add Patient' }).click()
    await page.getByRole('dialog', { name: 'Add Patient' }).waitFor()
    await context.close()
  })

  itLong.each(screenLooks)('is accessible and fits before a practice is set up: $name', async (look) => {
    const screen = await signedIn(look, beginner)
    await lookAt(screen, setupScreens, look.name)
    await screen.page.getByRole('button', { name: 'Get Started' }).click()
    await screen.page.getByLabel('Practice name').waitFor()
    await screen.page.getByRole('button', { name: 'Complete Setup' }).click()
    await screen.page.getByText('Please enter a complete address').waitFor()
    await expectAccessible(screen.page, `the practice form, refused, ${look.name}`)
    await expectNoSidewaysScroll(screen.page)
  })

  itLong.each(looks)('opens its dialogs accessibly: $name', async (look) => {
    const { page, complaints } = await signedIn(look, owner)
    await page.goto('/patients')
    await page.getByText('Hopper').first().waitFor()
    await page.getByRole('button', { name: 'Add Patient' }).click()
    await page.getByRole('dialog').waitFor()
    await expectAccessible(page, `add patient, ${look.name}`)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Find patients, appointments and screens' }).fill('hoper')
    await page.getByRole('option', { name: /Grace Hopper.*Follow-up/ }).waitFor()
    await expectAccessible(page, `command palette, ${look.name}`)
    for (const [name, path, open] of dialogs) {
      await page.goto(path)
      await open(page)
      await expectAccessible(page, `${name}, ${look.name}`)
      await expectNoSidewaysScroll(page)
    }
    expect(complaints).toEqual([])
    await page.context().close()
  })

  itLong.each(looks)('offers to restore postal codes that a spreadsheet shortened: $name', async (look) => {
    const { page, complaints } = await signedIn(look, owner)
    await page.goto('/patients/import')
    const lastName = `Ray ${look.name.replaceAll(/\W/g, '')}`
    const csv = `First,Last,Street,City,State,Zip\nAda,${lastName},1 Main St,Boston,MA,2139\n`
    const file = { name: 'patients.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) }
    await page.locator('input[type=file]').setInputFiles(file)
    await page.getByRole('button', { name: 'Check the rows' }).click()
    await page.getByText('2139 in row 2 becomes 02139.').waitFor()
    await page.getByText('1 Main St, Boston, MA 02139').first().waitFor()
    await expectAccessible(page, `postal codes, ${look.name}`)
    await expectNoSidewaysScroll(page)
    await page.getByRole('switch', { name: 'Restore the leading zero of 1 postal code' }).press('Space')
    await page.getByText('1 Main St, Boston, MA 2139').first().waitFor()
    await page.getByRole('button', { name: 'Import 1 patient' }).press('Enter')
    await page.waitForURL(/[?&]id=/)
    await expect.poll(() => page.evaluate<string>('document.activeElement.tagName')).toBe('SECTION')
    await page.getByRole('button', { name: /^Undo/ }).waitFor()
    expect(complaints).toEqual([])
    await page.context().close()
  })

  itLong('shows a toast beside the drawer, not over the name of the patient', async () => {
    const { body } = await owner.client.post('/api/patients', { firstName: 'Nora', lastName: 'Staying' })
    const { page, complaints } = await signedIn({ name: 'light', dark: false, width: 1440, height: 900 }, owner)
    await page.goto(`/patients/${body.id}`)
    await keepToasts(page)
    const drawer = page.getByRole('dialog', { name: 'Patient Details' })
    await drawer.getByRole('button', { name: 'Edit Patient' }).click()
    await page.getByLabel('First name').fill('Norah')
    await page.keyboard.press('Enter')
    await expectToastAccessible(page, 'Patient updated successfully', 'beside the drawer')
    await expect
      .poll(async () => {
        const [toast, panel] = [await page.locator('.fui-Toast').boundingBox(), await drawer.boundingBox()]
        return toast && panel && toast.x + toast.width <= panel.x
      })
      .toBe(true)
    expect(complaints).toEqual([])
    await page.context().close()
  })

  itLong.each(looks)('says accessibly what failed and what is done: $name', async (look) => {
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
    expect(await listControlsUnderToast(page, '[aria-modal=true]')).toEqual([])
    await page.unroute(path)
    await sure.click()
    await expectToastAccessible(page, 'Patient deleted', look.name)
    // At the top right, below the header and the search.
    expect(await listControlsUnderToast(page, 'header, [data-above-toasts]')).toEqual([])
    const toast = await page.locator('.fui-Toast').boundingBox()
    expect(toast?.y).toBeLessThan(look.height / 4)
    expect(look.width - (toast?.x ?? 0) - (toast?.width ?? 0)).toBeLessThan(24)
    await page.context().close()
  })
})
