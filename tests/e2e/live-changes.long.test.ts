import type { Browser, BrowserContext, Page, Request } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newSubscriber } from '#tests/support/billing.ts'
import { future } from '#tests/support/future-days.ts'
import { newOwner, password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { listEarlyRequests } from '#web/early/early-requests.ts'
import { launchBrowser, openWindow } from './browser.ts'
import { itLong } from '#tests/support/long.ts'

const day = future.tuesday.iso

/** Changes by colleagues appear without a reload, also in browsers and networks that do not keep a connection open. */
describe('live updates', () => {
  let app: TestApp
  let browser: Browser
  let owner: Awaited<ReturnType<typeof newOwner>>
  let patients = 0
  let slot = 9 * 60

  beforeAll(async () => {
    app = await startTestApp()
    browser = await launchBrowser()
    owner = await newOwner(app, { selectedPlan: 'starter' })
    await owner.client.get('/api/providers')
  })
  afterAll(async () => {
    await browser?.close()
    await app?.dispose()
  })

  /** Books an appointment for a new patient as a colleague; returns the name on it. */
  async function book(): Promise<string> {
    const lastName = `Patient${String.fromCharCode(65 + patients++)}`
    const patient = await owner.client.post('/api/patients', { firstName: 'Grace', lastName })
    const time = `${String(Math.floor(slot / 60)).padStart(2, '0')}:${String(slot % 60).padStart(2, '0')}`
    slot += 15
    const appointment = {
      patientId: patient.body.id,
      appointmentDate: `${day}T${time}`,
      duration: 15,
      type: 'check-up',
    }
    expect(await owner.client.post('/api/appointments', appointment)).toMatchObject({ status: 201 })
    return `Grace ${lastName}`
  }
  const waitUntilShown = (page: Page, name: string) =>
    page.locator('ol > li').filter({ hasText: name }).first().waitFor()

  async function openSignedIn({ email } = owner.registration) {
    const screen = await openWindow(browser, { url: app.url })
    await screen.page.request.post('/api/login', { data: { email, password } })
    return screen
  }
  /** Opens the day in a tab; returns the numbers of requests for the connection and of successful replies. */
  async function openDay(page: Page) {
    const requests = { count: 0, answered: 0 }
    const isChanges = (url: string) => new URL(url).pathname === '/api/changes'
    page.on('request', (request) => isChanges(request.url()) && requests.count++)
    page.on('response', (response) => isChanges(response.url()) && response.ok() && requests.answered++)
    await page.goto(`/appointments?date=${day}`)
    await page.getByRole('heading', { name: future.tuesday.long }).waitFor()
    return requests
  }
  const openTab = async (context: BrowserContext) => {
    const page = await context.newPage()
    return { page, requests: await openDay(page) }
  }

  itLong('are polled every few seconds while the connection fails, until it works again', async () => {
    const { page, context, complaints } = await openSignedIn()
    await context.route('**/api/changes*', (route) => route.abort())
    const requests = await openDay(page)
    await expect.poll(() => requests.count).toBeGreaterThan(0)
    await waitUntilShown(page, await book())
    // A second one, to rule out a coincidence: both were polled, none was pushed.
    await waitUntilShown(page, await book())
    expect(requests.answered).toBe(0)
    await context.unroute('**/api/changes*')
    await expect.poll(() => requests.answered).toBe(1)
    // While a connection is open there is no polling: a change that appears was pushed.
    const requestCount = requests.count
    await waitUntilShown(page, await book())
    expect(requests.count).toBe(requestCount)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('fetch nothing a second time when their connection opens, and what has changed since', async () => {
    const { page, context, complaints } = await openSignedIn()
    const fetched: string[] = []
    page.on('request', (request) => fetched.push(new URL(request.url()).pathname))
    const isDay = (path: string) => path === '/api/appointments'
    const opening = Promise.withResolvers<void>()
    await context.route('**/api/changes*', (route) => opening.promise.then(() => route.continue()))
    const requests = await openDay(page)
    await page.waitForLoadState('load')
    const before = await book()
    opening.resolve()
    await waitUntilShown(page, before)
    expect(requests.answered).toBe(1)
    await waitUntilShown(page, await book())
    // The list of the day and of the month, once each for the screen and for each of both bookings.
    expect(fetched.filter(isDay).length).toBeLessThanOrEqual(6)
    for (const path of ['/api/user', '/api/providers', '/api/dashboard/stats'])
      expect(fetched.filter((each) => each === path).length).toBeLessThanOrEqual(1)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('begin with what a window has requested before its code arrived, each once', async () => {
    const { practice, registration } = await newSubscriber(app)
    const { page, context, complaints } = await openSignedIn(registration)
    for (const path of ['/dashboard', '/patients', '/appointments']) {
      const fetched: string[] = []
      const note = (request: Request) => {
        const url = new URL(request.url())
        fetched.push(url.pathname + url.search)
      }
      page.on('request', note)
      const connected = page.waitForResponse((reply) => new URL(reply.url()).pathname === '/api/changes')
      await page.goto(path)
      await connected
      page.off('request', note)
      const practiceId = practice.id
      const permissions = ['patients:write', 'scheduling', 'billing']
      const early = listEarlyRequests(
        { pathname: path, search: '' },
        { practiceId, permissions, isActiveSubscriber: true, mustSetUpTwoFactor: false },
      )
      expect(early.length).toBeGreaterThan(3)
      for (const url of ['/api/user', ...early])
        expect([path, url, fetched.filter((each) => each === url).length]).toEqual([path, url, 1])
    }
    expect(complaints).toEqual([])
    await context.close()
  })

  it('use one connection per browser, which another tab takes over when its tab is closed', async () => {
    const { page: first, context, complaints } = await openSignedIn()
    const holding = await openDay(first)
    await expect.poll(() => holding.answered).toBe(1)
    const { page: second, requests: waiting } = await openTab(context)
    const { page: third, requests: alsoWaiting } = await openTab(context)
    const shared = await book()
    await Promise.all([first, second, third].map((page) => waitUntilShown(page, shared)))
    expect([holding.count, waiting.count, alsoWaiting.count]).toEqual([1, 0, 0])

    // A change while no tab holds the connection is not missed.
    await first.close()
    const between = await book()
    await Promise.all([second, third].map((page) => waitUntilShown(page, between)))
    await expect.poll(() => waiting.answered + alsoWaiting.answered).toBe(1)
    const later = await book()
    await Promise.all([second, third].map((page) => waitUntilShown(page, later)))

    // After two hand-overs the last tab is alone and still receives changes.
    const [next, last, lastRequests] = waiting.answered === 1 ? [second, third, alsoWaiting] : [third, second, waiting]
    await next.close()
    await expect.poll(() => lastRequests.answered).toBe(1)
    await waitUntilShown(last, await book())
    expect(waiting.count + alsoWaiting.count).toBe(2)
    expect(complaints).toEqual([])
    await context.close()
  })
})
