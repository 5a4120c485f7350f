import type { Browser, BrowserContext, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newOwner, password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { launchBrowser, openWindow } from './browser.ts'

const day = '2027-03-02'

/** What a colleague does appears by itself, also in the browsers and networks that make it hard. */
describe('live changes', () => {
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

  /** A colleague books an appointment for somebody new; answers the name on it. */
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
  const shown = (page: Page, name: string) => page.locator('ol > li').filter({ hasText: name }).first().waitFor()

  async function signedIn() {
    const screen = await openWindow(browser, { url: app.url })
    await screen.page.request.post('/api/login', { data: { email: owner.registration.email, password } })
    return screen
  }
  /** Opens the day in a tab; answers how often that tab has asked for the connection, and whether it has one. */
  async function openDay(page: Page) {
    const asked = { count: 0, answered: 0 }
    const isChanges = (url: string) => new URL(url).pathname === '/api/changes'
    page.on('request', (request) => isChanges(request.url()) && asked.count++)
    page.on('response', (response) => isChanges(response.url()) && response.ok() && asked.answered++)
    await page.goto(`/appointments?date=${day}`)
    await page.getByRole('heading', { name: 'Tuesday, March 2, 2027' }).waitFor()
    return asked
  }
  const tab = async (context: BrowserContext) => {
    const page = await context.newPage()
    return { page, asked: await openDay(page) }
  }

  it('are asked for every few seconds where nothing can be pushed, until it can again', async () => {
    const { page, context, complaints } = await signedIn()
    await context.route('**/api/changes', (route) => route.abort())
    const asked = await openDay(page)
    await expect.poll(() => asked.count).toBeGreaterThan(0)
    await shown(page, await book())
    // Not by luck of one moment: the next one comes as well, and it was never pushed.
    await shown(page, await book())
    expect(asked.answered).toBe(0)
    await context.unroute('**/api/changes')
    await expect.poll(() => asked.answered).toBe(1)
    // While a connection is open there is no polling: a change that appears was pushed.
    const tries = asked.count
    await shown(page, await book())
    expect(asked.count).toBe(tries)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('come over one connection a browser, which the next tab takes over when its tab is closed', async () => {
    const { page: first, context, complaints } = await signedIn()
    const holding = await openDay(first)
    await expect.poll(() => holding.answered).toBe(1)
    const { page: second, asked: waiting } = await tab(context)
    const { page: third, asked: alsoWaiting } = await tab(context)
    const both = await book()
    await Promise.all([first, second, third].map((page) => shown(page, both)))
    expect([holding.count, waiting.count, alsoWaiting.count]).toEqual([1, 0, 0])

    // What happens just while nobody holds the connection is not missed either.
    await first.close()
    const meanwhile = await book()
    await Promise.all([second, third].map((page) => shown(page, meanwhile)))
    await expect.poll(() => waiting.answered + alsoWaiting.answered).toBe(1)
    const later = await book()
    await Promise.all([second, third].map((page) => shown(page, later)))

    // Two hand-overs: the last tab is alone, and still follows.
    const [next, last, lastAsked] = waiting.answered === 1 ? [second, third, alsoWaiting] : [third, second, waiting]
    await next.close()
    await expect.poll(() => lastAsked.answered).toBe(1)
    await shown(last, await book())
    expect(waiting.count + alsoWaiting.count).toBe(2)
    expect(complaints).toEqual([])
    await context.close()
  })
})
