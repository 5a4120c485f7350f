import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newOwner, password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { launchBrowser, openWindow, type Screen } from './browser.ts'

const paletteLabel = 'Find patients, appointments and screens'

/** Keys that are pressed while a search is running act on its results, never on those of the text before. */
describe('keys pressed before the results arrive', () => {
  let app: TestApp
  let browser: Browser
  let screen: Screen
  let openSignedIn: () => Promise<Screen>
  const ids = new Map<string, string>()

  beforeAll(async () => {
    app = await startTestApp()
    browser = await launchBrowser()
    const { client, registration } = await newOwner(app, { selectedPlan: 'starter' })
    openSignedIn = async () => {
      const opened = await openWindow(browser, { url: app.url })
      await opened.page.request.post('/api/login', { data: { email: registration.email, password } })
      return opened
    }
    for (const [firstName, lastName] of [
      ['Grace', 'Hopper'],
      ['Ada', 'Lovelace'],
      ['Byron', 'Lovelace'],
      ['Pat', 'Okafor'],
    ] as const)
      ids.set(firstName, (await client.post('/api/patients', { firstName, lastName })).body.id)
    screen = await openSignedIn()
  })
  afterAll(async () => {
    await browser?.close()
    await app?.dispose()
  })

  /** Holds the replies to a search until `release` is called; `sent` resolves with the first request. */
  async function holdSearch(page: Page, search: string) {
    const [sent, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const isSearch = (url: URL) => url.pathname === '/api/patients' && url.searchParams.get('search') === search
    await page.route(isSearch, async (route) => {
      sent.resolve()
      await released.promise
      await route.continue()
    })
    return { sent: sent.promise, release: () => released.resolve() }
  }

  const openPalette = async (page: Page) => {
    await page.goto('/')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: paletteLabel }).waitFor()
  }

  it.each(['before the search is sent', 'while it is running'])(
    'opens the patient of a corrected search: Enter %s',
    async (moment) => {
      const { page } = screen
      await openPalette(page)
      await page.keyboard.type('hopper')
      await page.getByRole('option', { name: /Grace Hopper/ }).waitFor()
      const search = await holdSearch(page, 'byron')
      await page.keyboard.press('Control+a')
      await page.keyboard.type('byron')
      if (moment === 'while it is running') await search.sent
      await page.keyboard.press('Enter')
      await search.sent
      search.release()
      await page.waitForURL(/\/patients\/[0-9a-f-]{36}/)
      expect(new URL(page.url()).pathname).toBe(`/patients/${ids.get('Byron')}`)
      await page.unrouteAll({ behavior: 'wait' })
    },
  )

  it('opens the first patient of a first search, and forgets an Enter when typing goes on', async () => {
    const { page } = screen
    await openPalette(page)
    const search = await holdSearch(page, 'ada')
    await page.keyboard.type('ada')
    await search.sent
    await page.keyboard.press('Enter')
    search.release()
    await page.waitForURL(`**/patients/${ids.get('Ada')}`)
    await page.unrouteAll({ behavior: 'wait' })

    await openPalette(page)
    await page.keyboard.type('hop')
    await page.keyboard.press('Enter')
    await page.keyboard.type('q')
    await page.getByText('No results.').waitFor()
    await page.getByRole('combobox', { name: paletteLabel }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/')
  })

  it('runs a command that the arrow keys have selected, which stays selected when patients arrive', async () => {
    const { page } = screen
    await openPalette(page)
    const search = await holdSearch(page, 'pa')
    await page.keyboard.type('pa')
    await search.sent
    await page.keyboard.press('ArrowDown')
    const selected = page.getByRole('option', { selected: true })
    await expect.poll(() => selected.textContent()).toBe('Add patient')
    search.release()
    await page.getByRole('option', { name: /Pat Okafor/ }).waitFor()
    await expect.poll(() => selected.textContent()).toBe('Add patient')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Add Patient' }).waitFor()
    await page.keyboard.press('Escape')
    await page.unrouteAll({ behavior: 'wait' })
    expect(screen.complaints).toEqual([])
  })

  const readFocusedRow = (page: Page) =>
    page.evaluate<string>("document.activeElement.closest('[data-row]')?.textContent ?? ''")

  /** Opens the list with the result of one search, and types another one over it, whose reply is held. */
  async function replaceSearch(page: Page, text: string) {
    await page.goto('/patients?search=hopper')
    await page.getByText('1 patient').first().waitFor()
    const search = await holdSearch(page, text)
    await page.keyboard.press('/')
    await page.keyboard.press('Control+a')
    await page.keyboard.type(text)
    return search
  }

  it('moves from the patient search to the first row of the current result', async () => {
    const { page } = screen
    const search = await replaceSearch(page, 'lovelace')
    await page.keyboard.press('ArrowDown')
    await search.sent
    await page.keyboard.press('ArrowDown')
    expect(await readFocusedRow(page)).toBe('')
    search.release()
    await expect.poll(() => readFocusedRow(page)).toMatch(/Ada Lovelace/)
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/patients/${ids.get('Ada')}?search=lovelace`)
    await page.unrouteAll({ behavior: 'wait' })
  })

  it('sees that the list is not that of the typed text, also before the search is sent', async () => {
    // A clock is that of a whole context.
    const { page, context } = await openSignedIn()
    await page.clock.install()
    await page.goto('/patients?search=hopper')
    await page.getByText('1 patient').first().waitFor()
    const table = page.getByRole('table', { name: 'Patients' })
    await expect.poll(() => table.getAttribute('aria-busy')).not.toBe('true')
    // The search waits for a pause in typing, which never comes.
    await page.clock.pauseAt(await page.evaluate<number>('Date.now() + 1_000'))
    await page.getByLabel('Search patients').fill('lovelace')
    await expect.poll(() => table.getAttribute('aria-busy')).toBe('true')
    expect(new URL(page.url()).search).toBe('?search=hopper')
    await context.close()
  })

  it('opens the only patient that the search finds, and moves to the first of several', async () => {
    const { page } = screen
    const search = await replaceSearch(page, 'byron')
    await search.sent
    await page.keyboard.press('Enter')
    search.release()
    await page.waitForURL(`**/patients/${ids.get('Byron')}?search=byron`)
    await page.getByRole('heading', { name: 'Byron Lovelace' }).waitFor()
    await page.unrouteAll({ behavior: 'wait' })

    const several = await replaceSearch(page, 'lovelace')
    several.release()
    await page.getByText('2 patients').waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => readFocusedRow(page)).toMatch(/Ada Lovelace/)
    await page.unrouteAll({ behavior: 'wait' })
  })

  it('moves from the search to the cards of a narrow window, and between them', async () => {
    const { page } = screen
    const size = page.viewportSize() ?? { width: 1440, height: 900 }
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto('/patients?search=lovelace')
    await page.getByText('2 patients').waitFor()
    const readFocusedName = () => page.evaluate<string>("document.activeElement.closest('li a')?.textContent ?? ''")
    await page.getByLabel('Search patients').press('ArrowDown')
    await expect.poll(readFocusedName).toBe('Ada Lovelace')
    await page.keyboard.press('ArrowDown')
    await expect.poll(readFocusedName).toBe('Byron Lovelace')
    await page.keyboard.press('Home')
    await expect.poll(readFocusedName).toBe('Ada Lovelace')
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/patients/${ids.get('Byron')}?search=lovelace`)
    await page.setViewportSize(size)
  })

  it('leaves the focus where the user has moved it while the search was running', async () => {
    const { page } = screen
    const search = await replaceSearch(page, 'byron')
    await search.sent
    await page.keyboard.press('Enter')
    await page.keyboard.press('Shift+Tab')
    search.release()
    await page.getByRole('row', { name: /Byron Lovelace/ }).waitFor()
    expect(await readFocusedRow(page)).toBe('')
    expect(new URL(page.url()).pathname).toBe('/patients')
    await page.unrouteAll({ behavior: 'wait' })
    expect(screen.complaints).toEqual([])
  })

  /** Holds the script of the appointments: until `release` is called, the screen before stays. */
  async function holdNextScreen(page: Page) {
    const released = Promise.withResolvers<void>()
    await page.route('**/assets/appointments-screen-*.js', async (route) => {
      await released.promise
      await route.continue()
    })
    return { release: () => released.resolve() }
  }

  it('does not change the address of the next screen when a page past the last one is loaded', async () => {
    const { page, context } = await openSignedIn()
    const [sent, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const isPastEnd = (url: URL) => url.pathname === '/api/patients' && url.searchParams.get('offset') === '200'
    await page.route(isPastEnd, async (route) => {
      sent.resolve()
      await released.promise
      await route.continue()
    })
    const screen = await holdNextScreen(page)
    await page.goto('/patients?search=lovelace&page=9')
    await sent.promise
    await page.getByRole('link', { name: 'Appointments' }).first().click()
    await page.waitForURL('**/appointments')
    const reply = page.waitForResponse((response) => isPastEnd(new URL(response.url())))
    released.resolve()
    await (await reply).finished()
    // The result is on screen, and so is what the list does about the page.
    await page.getByText('2 patients').waitFor()
    expect(new URL(page.url()).href).toBe(`${app.url}/appointments`)
    screen.release()
    await page.getByRole('button', { name: 'Add to waitlist' }).waitFor()
    expect(new URL(page.url()).href).toBe(`${app.url}/appointments`)
    await context.close()
  })

  it('does not lead back a user who has left before a search is sent', async () => {
    const { page, context } = await openSignedIn()
    const screen = await holdNextScreen(page)
    await page.goto('/patients')
    await page.getByText('4 patients').waitFor()
    // In one step, because the search is sent soon after typing; the last timer ends after that of the search.
    await page.getByRole('searchbox').fill('byron')
    await page.evaluate(`document.querySelector('a[href="/appointments"]').click()`)
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 400))')
    expect(new URL(page.url()).pathname).toBe('/appointments')
    screen.release()
    await page.getByRole('button', { name: 'Add to waitlist' }).waitFor()
    await context.close()
  })

  it('runs commands of the palette', async () => {
    const { page, context, complaints } = await openSignedIn()
    const run = async (text: string) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: paletteLabel }).waitFor()
      await page.keyboard.type(text)
      await page.keyboard.press('Enter')
    }
    await page.goto('/patients')
    await page.getByText('4 patients').waitFor()
    await run('use the dark')
    await page.getByRole('button', { name: 'Use the light theme' }).waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await run('keyboard sh')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    // The list is on screen already.
    await run('add pat')
    await page.getByRole('dialog', { name: 'Add Patient' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(() => page.url()).not.toContain('new')
    await run('schedule app')
    await page.getByRole('dialog', { name: 'Schedule Appointment' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await run('sign out')
    await page.getByText('Logged out', { exact: true }).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })
})
