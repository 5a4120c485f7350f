import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shots } from '#tests/pictures/shots.ts'
import { isLongRun, itLong, someOf } from '#tests/support/long.ts'
import { newOwner, newUser, password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { pictureSizes } from '#web/site/picture-sizes.ts'
import { expectAccessible, expectNoSidewaysScroll, launchBrowser, openWindow } from './browser.ts'
import { screenLooks } from './looks.ts'

const pages = [
  ['/', 'The practice’s record that never forgets.'],
  ['/landing', 'The practice’s record that never forgets.'],
  ['/pricing', 'Simple pricing'],
  ['/features/ai-insights', 'Hints that name their reasons.'],
  ['/features/smart-scheduling', 'The whole day without scrolling.'],
  ['/features/intelligent-forms', 'Three lines instead of six pages.'],
  ['/features/patient-management', 'Two letters find the patient.'],
  ['/features/analytics', 'Open any number.'],
  ['/features/team-management', 'The right keys from the first day.'],
  ['/security', 'Security'],
  ['/privacy', 'Privacy'],
  ['/terms', 'Terms'],
  ['/accessibility', 'Accessibility'],
  ['/help', 'Help'],
  ['/nowhere/at/all', '404 Page Not Found'],
] as const

describe('the public site', () => {
  let app: TestApp
  let browser: Browser

  beforeAll(async () => {
    app = await startTestApp({ hasSamplePractices: true })
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await app?.dispose()
  })

  const widths = [
    ...screenLooks,
    { name: 'narrow', width: 320, height: 640, dark: false },
    { name: 'wide, dark', width: 1920, height: 1080, dark: true },
  ].slice(0, isLongRun ? undefined : screenLooks.length)
  itLong.each(widths)('is accessible and fits on every page: $name', async ({ name, ...look }) => {
    const { page, complaints, context } = await openWindow(browser, { ...look, url: app.url })
    for (const [path, title] of pages) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1, name: title }).waitFor()
      await expectAccessible(page, `${path}, ${name}`)
      await expectNoSidewaysScroll(page)
    }
    expect(complaints).toEqual([])
    await context.close()
  })

  it('has no link and no anchor that leads nowhere', async () => {
    const context = await browser.newContext({ baseURL: app.url, javaScriptEnabled: false })
    const page = await context.newPage()
    const waiting: string[] = pages.map(([path]) => path)
    const anchors = new Map<string, Set<string>>()
    const links: { from: string; path: string; anchor: string }[] = []
    const read = async (path: string) => {
      const reply = await page.request.get(path)
      const html = await reply.text()
      anchors.set(path, new Set([...html.matchAll(/\bid="([^"]+)"/g)].map(([, id = '']) => id)))
      const addresses = [...html.matchAll(/(?:href|src|action)="([^"]+)"|srcset="([^"]+)"/gi)].flatMap(([, one, set]) =>
        one === undefined ? (set ?? '').split(', ').map((each) => each.split(' ')[0] ?? '') : [one],
      )
      return { status: reply.status(), addresses: reply.headers()['content-type']?.includes('html') ? addresses : [] }
    }
    const statuses = new Map<string, number>()
    for (const next of waiting) {
      if (statuses.has(next)) continue
      const { status, addresses } = await read(next)
      statuses.set(next, status)
      for (const address of addresses) {
        const url = new URL(address.replaceAll('&amp;', '&'), new URL(next, app.url))
        if (url.origin !== new URL(app.url).origin) continue
        const path = url.pathname + url.search
        links.push({ from: next, path, anchor: decodeURIComponent(url.hash.slice(1)) })
        // Screens of the application need its script; the API is no page.
        if (!path.startsWith('/api/') || path === '/api/docs') waiting.push(path)
      }
    }
    const isBroken = ({ from, path, anchor }: (typeof links)[number]) =>
      (statuses.get(path) !== 200 && path !== from && !path.startsWith('/api/')) ||
      (anchor !== '' && !anchors.get(path)?.has(anchor))
    const broken = links.filter(isBroken)
    expect(broken).toEqual([])
    expect(statuses.get('/nowhere/at/all')).toBe(404)
    expect(links.length).toBeGreaterThan(300)
    await context.close()
  })

  it('describes every page for search engines and shared links', async () => {
    const read = async (address: string) => {
      const reply = await fetch(new URL(address, app.url))
      return { status: reply.status, type: reply.headers.get('content-type') ?? '', text: await reply.text() }
    }
    const sitemap = (await read('/sitemap.xml')).text
    const titles = new Map<string, string>()
    for (const [path] of pages) {
      const { text } = await read(path)
      const find = (pattern: RegExp) => pattern.exec(text)?.[1] ?? ''
      const property = (name: string) => find(new RegExp(`<meta property="${name}" content="([^"]+)"`))
      const data = [...text.matchAll(/<script type="application\/ld\+json">(.+?)<\/script>/g)].map(
        ([, json = '']) => JSON.parse(json)['@type'],
      )
      expect(find(/<meta name="description" content="([^"]+)"/).length).toBeGreaterThan(20)
      expect(property('og:title')).toBe(find(/<title>([^<]+)<\/title>/))
      expect((await read(property('og:image'))).type).toBe('image/png')
      expect(data).toEqual(path === '/pricing' ? ['SoftwareApplication', 'FAQPage'] : ['SoftwareApplication'])
      const canonical = find(/<link rel="canonical" href="([^"]+)"/)
      if (path === '/nowhere/at/all') {
        expect(text).toContain('<meta name="robots" content="noindex"')
        expect(canonical).toBe('')
        continue
      }
      expect(new URL(canonical).pathname).toBe(path === '/landing' ? '/' : path)
      expect(sitemap).toContain(`<loc>${canonical}</loc>`)
      titles.set(canonical, find(/<title>([^<]+)<\/title>/))
    }
    expect(new Set(titles.values()).size).toBe(titles.size)
    expect(titles.size).toBe(sitemap.match(/<loc>/g)?.length)
    const { icons } = JSON.parse((await read('/manifest.webmanifest')).text)
    for (const { src, type } of icons) expect((await read(src)).type).toBe(type)
  })

  it('works without script: prices, menu, questions, ways into the application', async () => {
    const context = await browser.newContext({
      baseURL: app.url,
      javaScriptEnabled: false,
      viewport: { width: 390, height: 844 },
    })
    const page = await context.newPage()
    await page.goto('/')
    await page.locator('summary[aria-label=Menu]').click()
    await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'View Pricing' }).click()
    await page.waitForURL('**/pricing')
    const plan = page.getByRole('article').filter({ has: page.getByRole('heading', { name: 'Professional' }) })
    expect(await plan.getByText('$129').isVisible()).toBe(true)
    await page.getByText('Yearly', { exact: false }).first().click()
    expect([await plan.getByText('$1,290').isVisible(), await plan.getByText('$129 ').isVisible()]).toEqual([
      true,
      false,
    ])
    expect(await page.getByRole('link', { name: 'Contact Sales' }).first().getAttribute('href')).toBe(
      '/auth?tab=register',
    )
    await page.getByRole('link', { name: 'Support' }).click()
    await page.waitForURL('**/help#contact')
    await page.getByRole('heading', { name: 'Questions that are not answered here' }).waitFor()
    await page.goto('/auth')
    await page.locator('noscript a').click()
    await page.waitForURL('**/landing')
    await page.goto('/pricing')
    await page.getByText('What happens after the trial?').click()
    expect(await page.getByText('After 30 days your card is charged').isVisible()).toBe(true)
    const addresses = await page
      .getByRole('link', { name: /^Start / })
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    expect(addresses).toEqual([
      '/subscription?plan=starter',
      '/subscription?plan=professional',
      '/subscription?plan=enterprise',
    ])
    await context.close()
  })

  itLong('takes a newsletter address with and without script', async () => {
    const plain = await (await browser.newContext({ baseURL: app.url, javaScriptEnabled: false })).newPage()
    await plain.goto('/pricing')
    await plain.getByLabel('One letter a month').fill('ada@example.test')
    await plain.getByRole('button', { name: 'Subscribe' }).click()
    await plain.waitForURL('**/newsletter/thanks')
    await plain.context().close()

    const { page, complaints, context } = await openWindow(browser, { url: app.url })
    await page.goto('/')
    const field = page.getByLabel('One letter a month')
    // The browser's own check admits an address without a domain.
    await field.fill('grace@example')
    await field.press('Enter')
    await page.locator('[data-note]').getByText('Please enter a valid email address').waitFor()
    expect(await field.evaluate((input) => [input.ariaInvalid, input.matches(':focus')])).toEqual(['true', true])
    expect(await page.locator('.toast').count()).toBe(0)
    await expectAccessible(page, 'a refused address')
    await field.fill('grace@example.test')
    const button = page.getByRole('button', { name: 'Subscribe' })
    await button.press('Enter')
    await page.getByText('Successfully subscribed!').waitFor()
    expect(await field.evaluate((input) => input.ariaInvalid)).toBe('false')
    expect(await button.evaluate((element) => element.matches(':focus'))).toBe(true)
    await page.getByText('You’ll receive our healthcare insights newsletter monthly.').waitFor()
    await page.getByText('the confirmation is in its outbox', { exact: false }).waitFor()
    expect(await field.inputValue()).toBe('')
    await page.route('**/api/newsletter/subscribe', (route) => route.abort())
    await field.fill('grace@example.test')
    await field.press('Enter')
    await page.getByText('Subscription failed').waitFor()
    await page.getByText('Please try again later.').waitFor()
    await page.getByText('There was no reply. Please try again.').waitFor()
    expect(await field.inputValue()).toBe('grace@example.test')
    expect(complaints).toEqual([])
    await context.close()
  })

  it('closes the menu of a phone with Escape and with a press beside it', async () => {
    const { page, context } = await openWindow(browser, { url: app.url, width: 390, height: 844 })
    await page.goto('/pricing')
    const summary = page.locator('summary[aria-label=Menu]')
    const link = page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'View Pricing' })
    await summary.click()
    await link.focus()
    await page.keyboard.press('Escape')
    await link.waitFor({ state: 'hidden' })
    expect(await summary.evaluate((element) => element.matches(':focus'))).toBe(true)
    await summary.press('Enter')
    await link.waitFor()
    // Below the menu, which covers the upper part.
    await page.mouse.click(20, 830)
    await link.waitFor({ state: 'hidden' })
    await summary.press('Enter')
    await link.focus()
    await page.keyboard.press('Tab')
    await link.waitFor({ state: 'hidden' })
    await context.close()
  })

  it('reserves the space of pictures that are still loading', async () => {
    const { page, context } = await openWindow(browser, { url: app.url })
    const loaded = Promise.withResolvers<void>()
    await page.route(/\.(avif|webp)$/, async (route) => {
      await loaded.promise
      await route.continue()
    })
    const readHeights = () =>
      page.locator('img.shot').evaluateAll((shots) => shots.map(({ clientHeight }) => clientHeight))
    for (const path of ['/landing', '/features/analytics', '/help']) {
      await page.goto(path, { waitUntil: 'commit' })
      await page.locator('footer').waitFor()
      const heights = await readHeights()
      expect([path, Math.min(...heights) > 100]).toEqual([path, true])
    }
    loaded.resolve()
    await context.close()
  })

  itLong('greets a signed-in user, who can sign out and open the dashboard', async () => {
    const { registration } = await newUser(app, { firstName: 'Grace' })
    const { page, context, complaints } = await openWindow(browser, { url: app.url })
    const requests: string[] = []
    page.on('request', (request) => requests.push(new URL(request.url()).pathname))
    await page.goto('/landing')
    await page.getByRole('link', { name: 'Sign In' }).waitFor()
    expect(requests.filter((path) => path.startsWith('/api/'))).toEqual([])
    await page.getByRole('link', { name: 'Sign In' }).click()
    await page.getByLabel('Email').fill(String(registration.email))
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign In', exact: true }).click()
    await page.waitForURL('**/onboarding')
    // The application stores when a user was active, signing in included.
    await expect.poll(() => page.evaluate("localStorage.getItem('everchart.last-input')")).not.toBeNull()
    await page.goto('/landing')
    await page.getByText('Welcome back, Grace').waitFor()
    expect(await page.getByRole('link', { name: 'Dashboard', exact: true }).getAttribute('href')).toBe('/dashboard')
    for (const path of ['/features/analytics', '/pricing']) {
      await page.goto(path)
      await page.getByRole('link', { name: 'Open Dashboard' }).waitFor()
      for (const width of [320, 390, 700, 800, 900, 1440]) {
        await page.setViewportSize({ width, height: 900 })
        await expectNoSidewaysScroll(page)
      }
    }
    await page.getByRole('button', { name: 'Logout' }).press('Enter')
    await page.getByText('You have been successfully logged out.').waitFor()
    const signIn = page.getByRole('link', { name: 'Sign In' })
    await signIn.waitFor()
    expect(await signIn.evaluate((element) => element.matches(':focus'))).toBe(true)
    await page.goto('/')
    await page.getByRole('heading', { level: 1, name: 'The practice’s record that never forgets.' }).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  itLong('leads from a session that has ended to the landing page', async () => {
    const { registration } = await newOwner(app)
    const { page, context } = await openWindow(browser, { url: app.url })
    await page.request.post('/api/login', { data: { email: registration.email, password } })
    await app.services.pool.query('delete from app.sessions')
    await page.goto('/')
    await page.waitForURL('**/landing')
    await page.getByRole('link', { name: 'Sign In' }).waitFor()
    await context.close()
  })

  it('searches the help while typing, and keeps the billing period from page to page', async () => {
    const { page, context } = await openWindow(browser, { url: app.url })
    await page.goto('/help')
    await page.getByLabel('Search the help').fill('calendar private')
    await page.getByText('1 how-to found').waitFor()
    expect(await page.getByRole('heading', { level: 2 }).filter({ visible: true }).allInnerTexts()).toContain(
      'See appointments in your own calendar',
    )
    expect(await page.getByRole('heading', { name: 'Book a series' }).isVisible()).toBe(false)
    await page.goto('/')
    await page.getByRole('radio', { name: /Yearly/ }).check({ force: true })
    await page.goto('/pricing')
    await page.getByText('$1,290').waitFor()
    await context.close()
  })

  it.each(
    someOf(
      [
        ['/', 390],
        ['/features/smart-scheduling', 1440],
        ['/', 1440],
        ['/pricing', 390],
      ] as const,
      2,
    ),
  )('loads at most 350 kB, 30 kB of it script, and nothing of the application: %s, %i px', async (path, width) => {
    const { page, context } = await openWindow(browser, { url: app.url, width })
    const sizes = new Map<string, number>()
    page.on('response', async (response) => {
      const { responseBodySize } = await response.request().sizes()
      sizes.set(new URL(response.url()).pathname, responseBodySize)
    })
    await page.goto(path, { waitUntil: 'networkidle' })
    const total = (of: RegExp) => [...sizes].filter(([name]) => of.test(name)).reduce((sum, [, size]) => sum + size, 0)
    await expect.poll(() => total(/^/)).toBeGreaterThan(20_000)
    expect(total(/^/)).toBeLessThanOrEqual(350_000)
    expect(total(/\.js$/)).toBeLessThanOrEqual(30_000)
    expect([...sizes.keys()].filter((name) => name.endsWith('.js'))).toEqual([
      expect.stringMatching(/^\/assets\/site-.*\.js$/),
    ])
    await context.close()
  })

  it.runIf(isLongRun)('shows screens as they are: every picture can be taken again', async () => {
    expect(shots.map(({ name }) => name)).toEqual(Object.keys(pictureSizes))
    const { registration } = await newOwner(app, { selectedPlan: 'professional' })
    const { page, context } = await openWindow(browser, { url: app.url })
    await page.request.post('/api/login', { data: { email: registration.email, password } })
    for (const { path, viewport, prepare, part, shows } of shots) {
      await page.setViewportSize(viewport)
      await page.goto(path)
      await prepare(page)
      const pictured = part ? part(page) : page.locator('body')
      for (const text of shows) await expectVisible(page, pictured.getByText(text).first())
    }
    await context.close()
  })
})

async function expectVisible(page: Page, text: ReturnType<Page['getByText']>): Promise<void> {
  await text.waitFor()
  expect(await text.isVisible(), `${page.url()}: ${String(text)}`).toBe(true)
}
