import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BookingConcern } from '#contracts/values/appointments.ts'
import { addDays } from '#contracts/values/calendar.ts'
import { newOwner, newUser, password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  launchBrowser,
  loadAgain,
  openWindow,
  type Screen,
  takePicture,
  silenceLiveUpdates,
} from './browser.ts'
import { looks } from './looks.ts'
import { itLong } from '#tests/support/long.ts'

/** The sections below the four figures, in the order of the spec. */
const sections = [
  "Today's Schedule",
  'Recent Patient Activity',
  'AI Insights',
  'Quick Actions',
  'Recent Forms & AI Analysis',
  'Appointment Trends',
  'System Status',
]

describe('the dashboard', () => {
  let app: TestApp
  let browser: Browser
  let demo: Awaited<ReturnType<typeof newOwner>>
  let subscriber: Awaited<ReturnType<typeof newOwner>>

  beforeAll(async () => {
    app = await startTestApp()
    // A day that ended during a test would change the figures of today.
    app.stopClock()
    browser = await launchBrowser()
    demo = await newOwner(app, { selectedPlan: 'starter' })
    subscriber = await newOwner(app, { selectedPlan: 'professional' })
    await app.services.pool.query(
      "update read.users set subscription_status = 'active', subscription_tier = 'professional' where user_id = $1",
      [subscriber.user.id],
    )
    // A patient who can be called: one without a number would be an insight.
    const hopper = { firstName: 'Grace', lastName: 'Hopper', phone: '(617) 555-0142' }
    const { body } = await subscriber.client.post('/api/patients', hopper)
    const today = (await subscriber.client.get('/api/dashboard/stats')).body.today as string
    const book = async (time: string, more: object) =>
      (
        await subscriber.client.post('/api/appointments', {
          patientId: body.id,
          appointmentDate: `${today}T${time}`,
          type: 'check-up',
          confirmed: BookingConcern.options,
          ...more,
        })
      ).body
    await book('23:30', { type: 'emergency', reason: 'Chest pain' })
    const done = await book('09:00', {})
    await subscriber.client.patch(`/api/appointments/${done.id}`, { status: 'completed' })
    // Of four whole minutes, the application worked in all but the third.
    const minute = 60_000
    app.advanceClock(-4 * minute)
    for (const advance of [1, 2, 1]) {
      await app.services.uptime.record()
      app.advanceClock(advance * minute)
    }
  })
  afterAll(async () => {
    await browser?.close()
    await app?.dispose()
  })

  async function signedIn(look: (typeof looks)[number], who: { registration: { email: string } }): Promise<Screen> {
    const screen = await openWindow(browser, { ...look, url: app.url })
    await screen.page.request.post('/api/login', { data: { email: who.registration.email, password } })
    return screen
  }

  async function check({ page, complaints, context }: Screen, what: string): Promise<void> {
    await expectAccessible(page, what)
    await expectNoSidewaysScroll(page)
    expect(complaints).toEqual([])
    if (process.env['SCREENSHOTS'])
      await page.screenshot({
        path: `${process.env['SCREENSHOTS']}/${what.replaceAll(/\W+/g, '-')}.png`,
        fullPage: true,
      })
    await context.close()
  }

  const chart = (page: Page) => page.locator('svg text', { hasText: 'Completed' }).first().waitFor()

  it.each(looks)('is public at /demo, $name, without calling the API', async (look) => {
    const screen = await openWindow(browser, { ...look, url: app.url })
    const { page } = screen
    const asked: string[] = []
    page.on('request', (request) => {
      if (new URL(request.url()).pathname.startsWith('/api/')) asked.push(request.url())
    })
    await page.goto('/demo')
    await page.getByText("Demo Mode Active - You're viewing sample data to explore the product's features").waitFor()
    await chart(page)
    expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual([
      "Today's Appointments",
      'Total Patients',
      'AI Insights',
      'Revenue',
      ...sections,
    ])
    for (const text of ['1,248', '$48,920', '+12% from yesterday', '+8 new this week', '+15% vs last month', '99.9%'])
      await page.getByText(text, { exact: true }).waitFor()
    for (const text of ['Rate Limited', 'Analysis In Progress', '2 minutes ago', 'AI Insights Preview'])
      await page.getByText(text).first().waitFor()
    expect(await page.getByTestId('patient-appointment').count()).toBe(12)
    expect(asked).toEqual([])
    await check(screen, `demo, ${look.name}`)
  })

  itLong('tells a visitor who searches that it needs an account', async () => {
    const { page, context } = await openWindow(browser, { url: app.url })
    await page.goto('/demo')
    await page.getByRole('searchbox').fill('Hopper')
    await page.keyboard.press('Enter')
    await page.getByText('“Search” needs an account.', { exact: false }).waitFor()
    await page.getByRole('button', { name: 'Continue Demo' }).click()
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    await context.close()
  })

  itLong('fits a window of 320 px at /demo, with a search, and days that can be read', async () => {
    const { page, context } = await openWindow(browser, { width: 320, height: 640, url: app.url })
    await page.goto('/demo')
    await chart(page)
    const readDays = () =>
      page.evaluate<{ left: number; right: number }[]>(`[...document.querySelectorAll('svg text')]
        .filter(({ textContent }) => /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)$/.test(textContent))
        .map((text) => text.getBoundingClientRect().toJSON())
        .sort((a, b) => a.left - b.left)`)
    await expect.poll(async () => (await readDays()).length).toBeGreaterThan(1)
    const days = await readDays()
    days.slice(1).forEach(({ left }, index) => expect(left).toBeGreaterThan(days[index]?.right ?? 0))
    await page.getByRole('button', { name: 'Search', exact: true }).click()
    await page.getByText('“Search” needs an account.', { exact: false }).waitFor()
    await page.getByRole('button', { name: 'Continue Demo' }).click()
    await expectNoSidewaysScroll(page)
    await context.close()
  })

  itLong('leads a signed-in user from /demo to their own dashboard', async () => {
    const { page, context } = await signedIn(looks[0] as (typeof looks)[number], demo)
    await page.goto('/dashboard')
    await page.getByRole('heading', { name: 'Dashboard Overview' }).waitFor()
    // By it the demo knows, without a request, that a user is signed in here.
    await expect.poll(() => page.evaluate("localStorage.getItem('everchart.last-input')")).not.toBeNull()
    await page.goto('/demo')
    await page.getByRole('link', { name: 'Your Dashboard' }).click()
    await page.waitForURL('**/dashboard')
    await context.close()
  })

  itLong('prompts a visitor after five clicks, once per session', async () => {
    const { page, context } = await openWindow(browser, { url: app.url })
    await page.goto('/demo')
    const rows = page.getByTestId('patient-appointment')
    for (let click = 0; click < 4; click++) await rows.nth(click).click()
    expect(await page.getByText('Enjoying the Demo?').count()).toBe(0)
    await rows.nth(4).click()
    await page.getByText("You've explored several features! Ready to start managing your practice?").waitFor()
    await expectAccessible(page, 'the prompt')
    expect(await page.getByRole('link', { name: 'Start Free Trial' }).getAttribute('href')).toBe('/subscription')
    await page.getByRole('button', { name: 'Continue Demo' }).click()
    await page.reload()
    for (let click = 0; click < 6; click++) await rows.nth(click).click()
    expect(await page.getByText('Enjoying the Demo?').count()).toBe(0)
    await context.close()
  })

  itLong('tells a visitor which actions need an account, and leads to the registration', async () => {
    const { page, context, complaints } = await openWindow(browser, { url: app.url })
    await page.goto('/demo')
    const asked = page.getByRole('alertdialog', { name: 'Create a free account first' })
    for (const action of ['AI Analysis', 'Add Patient', 'Review Form, New patient intake']) {
      await page.getByRole('button', { name: action, exact: false }).first().click()
      await asked.getByText('needs an account').waitFor()
      await page.keyboard.press('Escape')
      await asked.waitFor({ state: 'detached' })
    }
    await page.getByRole('button', { name: 'Quick Add' }).click()
    await page.getByRole('menuitem', { name: 'Schedule Appointment' }).click()
    await asked.getByText('“Schedule Appointment” needs an account').waitFor()
    await expectAccessible(page, 'an account is needed')
    await asked.getByRole('button', { name: 'Create Free Account' }).click()
    await page.waitForURL('**/auth?tab=register')
    await page.getByRole('tab', { name: 'Register', selected: true }).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  itLong('prompts a visitor after two minutes', async () => {
    const { page, context } = await openWindow(browser, { url: app.url })
    await page.clock.install()
    await page.goto('/demo')
    await page.getByText('Demo Mode Active', { exact: false }).waitFor()
    await page.clock.fastForward(121_000)
    await page
      .getByText("You've been exploring our healthcare platform. Ready to subscribe and start managing your practice?")
      .waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    expect(await page.getByText('Enjoying the Demo?').count()).toBe(0)
    await context.close()
  })

  itLong.each(looks)('shows a demo owner the fixed figures of the demo, $name', async (look) => {
    const screen = await signedIn(look, demo)
    const { page } = screen
    await page.goto('/')
    await page.getByText('Demo Mode Active', { exact: false }).waitFor()
    await page.getByText('+12% from yesterday').waitFor()
    await page.getByText('No appointments scheduled for today').waitFor()
    await page.getByText('No recent patient activity').waitFor()
    await chart(page)
    await check(screen, `demo owner, ${look.name}`)
  })

  it.each(looks)('shows a subscriber actual data, $name', async (look) => {
    const screen = await signedIn(look, subscriber)
    const { page } = screen
    await page.goto('/dashboard')
    await page.getByText('Open the 2 appointments').waitFor()
    await page.getByText('Urgent').waitFor()
    await page.getByText('No AI insights available').waitFor()
    await page.getByText('No recent forms submitted').waitFor()
    const system = page.getByRole('region', { name: 'System Status' })
    await system.getByText('Uptime since').waitFor()
    expect(await system.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(/^Database\s+Operational$/),
      expect.stringMatching(/^AI services\s+Not configured$/),
      expect.stringMatching(/^Payment processing\s+Stand-in$/),
      expect.stringMatching(/^Email services\s+Stand-in$/),
      expect.stringMatching(/^Background work\s+Operational$/),
    ])
    // Three of four minutes.
    await system.getByText('75%', { exact: true }).waitFor()
    expect(await page.getByText('Demo Mode Active').count()).toBe(0)
    expect(await page.getByText('99.9%').count()).toBe(0)
    await chart(page)
    await takePicture(page, `dashboard-${look.name}`)
    await check(screen, `subscriber, ${look.name}`)
  })

  itLong('opens the records behind every number of a subscriber', async () => {
    const { page, context } = await signedIn(looks[0] as (typeof looks)[0], subscriber)
    await page.goto('/')
    await page.getByRole('button', { name: 'Open the completed appointments' }).click()
    await page.getByText('Revenue: $120').waitFor()
    await expectAccessible(page, 'the records')
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Open the AI insights' }).click()
    await page.getByText('AI Insights: 0').waitFor()
    await page.getByRole('dialog').getByText('No AI insights available').waitFor()
    await expectAccessible(page, 'no insights')
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: /^Open the .*measurements?$/ }).click()
    await page.getByText(/^Response time: \d+ms$/).waitFor()
    await page
      .getByRole('dialog')
      .getByRole('listitem')
      .filter({ hasText: /[AP]M.*\dms/ })
      .first()
      .waitFor()
    await expectAccessible(page, 'the measurements')
    if (process.env['SCREENSHOTS']) await page.screenshot({ path: `${process.env['SCREENSHOTS']}/measurements.png` })
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Open the outage', exact: true }).click()
    await page.getByText('Uptime: 75%').waitFor()
    await page.getByRole('dialog').getByRole('listitem').filter({ hasText: '1 minute' }).waitFor()
    await expectAccessible(page, 'the outages')
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Table' }).click()
    await page.getByRole('button', { name: /^2 scheduled/ }).click()
    await page.getByText(': 2 appointments').waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByLabel('Period').selectOption('3months')
    await page.getByRole('rowheader', { name: / to / }).first().waitFor()
    await page.getByRole('button', { name: 'Open the patient' }).click()
    await page.getByText('Patient Management').waitFor()

    const [patient] = (await subscriber.client.get('/api/patients')).body
    const today = (await subscriber.client.get('/api/dashboard/stats')).body.today as string
    await subscriber.client.post('/api/appointments', {
      patientId: patient.id,
      appointmentDate: `${addDays(today, 1)}T09:00`,
      type: 'check-up',
      confirmed: BookingConcern.options,
    })
    await page.goto('/')
    await page.getByText('1 appointment tomorrow is not confirmed').waitFor()
    await page.getByText('A call today keeps the slots filled.').waitFor()
    await page.getByRole('button', { name: 'Open the AI insights' }).click()
    await page.getByText('AI Insights: 1').waitFor()
    await page.getByRole('dialog').getByText('1 appointment tomorrow is not confirmed').waitFor()
    await expectAccessible(page, 'an insight')
    await context.close()
  })

  itLong('shows in each panel what could not be loaded, and retries', async () => {
    const { page, context } = await signedIn(looks[0] as (typeof looks)[0], subscriber)
    const failing = ['dashboard/stats', 'dashboard/trends**', 'patients**', 'appointments/today', 'system-status']
    await silenceLiveUpdates(page)
    for (const path of failing) await page.route(`**/api/${path}`, (route) => route.abort())
    await page.goto('/dashboard')
    for (const text of ['Unable to load the figures', 'Unable to load patient data', "Unable to load today's schedule"])
      await page.getByText(text).waitFor()
    for (const text of ['Unable to load the trends', 'Unable to load the system status'])
      await page.getByText(text).waitFor()
    await expectAccessible(page, 'nothing loaded')
    const sent = page.waitForRequest('**/api/dashboard/stats')
    await page.getByRole('button', { name: 'Try again' }).first().click()
    await sent
    for (const path of failing) await page.unroute(`**/api/${path}`)
    await loadAgain(page, /Unable to load/)
    await page.getByText('Open the 2 appointments').waitFor()
    await context.close()
  })

  itLong(
    'opens the appointments and patients of its rows, and changes a status in place with the keyboard',
    async () => {
      const { page, context, complaints } = await signedIn(looks[0] as (typeof looks)[0], subscriber)
      await page.goto('/')
      const schedule = page.getByRole('region', { name: "Today's Schedule" })
      const menu = schedule.getByRole('button', { name: 'Actions for Grace Hopper, 11:30 PM' })
      await menu.press('Enter')
      await page.getByRole('menuitem', { name: 'Arrived' }).press('Enter')
      await schedule.getByRole('button', { name: 'Actions for Grace Hopper, 11:30 PM' }).press('Enter')
      await page.getByRole('menuitem', { name: 'Complete' }).waitFor()
      await page.keyboard.press('Escape')
      const statuses = async () => {
        const { body } = await subscriber.client.get('/api/appointments/today')
        return (body as { status: string }[]).map(({ status }) => status)
      }
      await expect.poll(statuses).toEqual(['completed', 'waiting'])
      await schedule.getByRole('link', { name: 'Grace Hopper' }).first().press('Enter')
      await page.getByRole('dialog', { name: 'Appointment Details' }).getByText('9:00 AM').waitFor()
      await expect.poll(() => new URL(page.url()).search).toBe('')
      await page.goto('/')
      await page.getByRole('region', { name: 'Recent Patient Activity' }).getByRole('link').first().click()
      await page.waitForURL(/\/patients\/[0-9a-f-]{36}/)
      expect(complaints).toEqual([])
      await context.close()
    },
  )

  itLong('adds from the menu, and shows users without a practice the sample', async () => {
    const { page, context } = await signedIn(looks[0] as (typeof looks)[0], subscriber)
    await page.goto('/')
    await page.getByRole('button', { name: 'Quick Add' }).click()
    await page.getByRole('menuitem', { name: 'Add Patient' }).click()
    await page.getByLabel('First name').waitFor()
    await page.goto('/')
    await page.getByRole('link', { name: 'Schedule', exact: true }).click()
    await page.getByRole('dialog').waitFor()
    await page.waitForURL(/\/appointments$/)
    await context.close()
    const beginner = await newUser(app)
    const other = await signedIn(looks[0] as (typeof looks)[0], beginner)
    await other.page.goto('/dashboard')
    await other.page.getByText('1,248').waitFor()
    await other.page.goto('/under-development')
    await other.page.getByText('Real-time Insurance Verification').waitFor()
    await check(other, 'under development')
  })
})
