import { existsSync } from 'node:fs'
import { AxeBuilder } from '@axe-core/playwright'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright'
import { expect } from 'vitest'

const places = [
  process.env['CHROMIUM_PATH'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** Debian's Chromium, headless, without calls of its own into the network. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = places.find((place) => place && existsSync(place))
  if (!executablePath) throw new Error('Chromium is missing. Install it with: apt-get install -y chromium')
  return await chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

export type Screen = { context: BrowserContext; page: Page; complaints: string[] }

type Look = { width?: number; height?: number; dark?: boolean; url: string }

/** A fresh window. What the page complains about is collected: uncaught errors, console errors, failed requests. */
export async function openWindow(
  browser: Browser,
  { width = 1440, height = 900, dark = false, url }: Look,
): Promise<Screen> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    locale: 'en-US',
    timezoneId: 'America/New_York',
  })
  // Ends a hang; no test depends on it.
  context.setDefaultTimeout(100_000)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`))
  page.on('console', (message) => {
    // The browser itself reports every 4xx; those that a person provoked are part of the story.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text())
  })
  page.on('response', (response) => {
    if (response.status() >= 500) complaints.push(`${response.status()} ${new URL(response.url()).pathname}`)
  })
  return { context, page, complaints }
}

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/**
 * WCAG 2.2 AA as far as a machine can tell. Fluent's focus helpers are not for people. A toast is looked at on its own: it
 * fades, and between two colours it says nothing about what people see.
 */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  await expectNothing(wholePage(page).exclude('.fui-Toast'), what)
}

/** Keeps a toast visible until the next one replaces it: on a busy machine its five seconds may be too short. */
export const keepToasts = (page: Page): Promise<void> =>
  page.evaluate<void>(`(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('[data-timer-status] { animation-play-state: paused !important }')
    document.adoptedStyleSheets.push(sheet)
  })()`)

/** The same for the toast with these words; pointing at it keeps it. */
export async function expectToastAccessible(page: Page, words: string, look: string): Promise<void> {
  const toast = page.locator('.fui-Toast').filter({ hasText: words })
  await toast.hover()
  await expect.poll(() => page.locator('.fui-Toast').count()).toBe(1)
  const opacity = () =>
    page.evaluate<number>(`(() => {
      let least = 1
      for (let at = document.querySelector('.fui-Toast'); at; at = at.parentElement)
        least = Math.min(least, Number(getComputedStyle(at).opacity))
      return least
    })()`)
  await expect.poll(opacity).toBe(1)
  await expectNothing(wholePage(page).include('.fui-Toast'), `${words}, ${look}`)
}

/** The other mode opens a tab of its own each time, for pages within pages: there are none here, and it takes twice as long. */
const wholePage = (page: Page) =>
  new AxeBuilder({ page }).setLegacyMode().withTags(rules).exclude('[data-tabster-dummy]')

async function expectNothing(looking: AxeBuilder, what: string): Promise<void> {
  const { violations } = await looking.analyze()
  const found = violations.map(({ id, nodes }) => `${what}: ${id} ${nodes[0]?.target.join(' ')}`)
  expect(found).toEqual([])
}

/** Nothing is wider than the window: on a phone, sideways scrolling loses people. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const over = await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
  expect(over).toBeLessThanOrEqual(0)
}

/** The colours something lies on, from itself to the whole page. */
export const groundsBehind = (page: Page, selector: string): Promise<string[]> =>
  page.evaluate<string[]>(`(() => {
    const found = new Set()
    for (let at = document.querySelector('${selector}'); at; at = at.parentElement)
      found.add(getComputedStyle(at).backgroundColor)
    return [...found]
  })()`)
