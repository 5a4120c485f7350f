import { existsSync } from 'node:fs'
import { AxeBuilder } from '@axe-core/playwright'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright'
import { expect } from 'vitest'

const chromiumPaths = [
  process.env['CHROMIUM_PATH'],
  // Chromium without the user interface around its pages, which takes a second of processor time for each window.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

let shared: Promise<Browser> | undefined

/** Returns the browser that the files of a worker share. `close` only closes its windows: it ends with the worker. */
export async function launchBrowser(): Promise<Browser> {
  const browser = await (shared ??= launchOwnBrowser())
  browser.close = async () => void (await Promise.all(browser.contexts().map((context) => context.close())))
  return browser
}

/** Launches the system's Chromium, headless and without background network traffic. */
export async function launchOwnBrowser(moreFlags: readonly string[] = []): Promise<Browser> {
  const executablePath = chromiumPaths.find((file) => file && existsSync(file))
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
      ...moreFlags,
    ],
  })
}

export type Screen = { context: BrowserContext; page: Page; complaints: string[] }

/** The windows that are open, with their latest requests to the API. */
export const openWindows = new Map<Page, string[]>()

/** Notes the requests of a window while it is open. */
function watchRequests(page: Page): void {
  const requests: string[] = []
  openWindows.set(page, requests)
  const note = (outcome: string | number, method: string, url: string) => {
    if (!url.includes('/api/')) return
    requests.push(`${outcome} ${method} ${new URL(url).pathname}`)
    if (requests.length > 40) requests.shift()
  }
  page.on('request', (request) => note('sent', request.method(), request.url()))
  page.on('requestfailed', (request) => note(request.failure()?.errorText ?? 'failed', request.method(), request.url()))
  page.on('response', (response) => note(response.status(), response.request().method(), response.url()))
  page.on('close', () => void openWindows.delete(page))
}

/** `zone` is the time zone of the browser. */
type Look = { width?: number; height?: number; dark?: boolean; zone?: string; url: string }

/** Logs what the content security policy refuses: the console alone does not say what code has tried and caught. */
const logRefusals = `document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) =>
  console.error('refused by the security policy:', violatedDirective, blockedURI, sourceFile))`

/** Opens a window that collects uncaught errors, console errors, what the security policy refuses, and failed requests in `complaints`. */
export async function openWindow(
  browser: Browser,
  { width = 1440, height = 900, dark = false, zone = 'America/New_York', url }: Look,
): Promise<Screen> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    locale: 'en-US',
    timezoneId: zone,
  })
  // Only ends hangs: no test depends on this limit.
  context.setDefaultTimeout(100_000)
  await context.addInitScript(logRefusals)
  const page = await context.newPage()
  watchRequests(page)
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(`uncaught: ${error.message}`))
  page.on('console', (message) => {
    // The browser logs every 4xx; tests provoke some on purpose.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text())
  })
  page.on('response', (response) => {
    if (response.status() >= 500) complaints.push(`${response.status()} ${new URL(response.url()).pathname}`)
  })
  return { context, page, complaints }
}

/**
 * Opens the live updates of a window and sends no hint: nothing is fetched again but what the user asks for. While they are refused
 * or not answered, a window fetches everything again every few seconds.
 */
export const silenceLiveUpdates = (window: BrowserContext | Page): Promise<unknown> =>
  window.route(/\/api\/changes(\?|$)/, (route) =>
    route.fulfill({ contentType: 'text/event-stream', body: 'event: open\ndata: {"isResumed":true}\n\n' }),
  )

/**
 * Presses "Try again" until the page no longer says that something could not be loaded. Live updates may load it before the
 * button is pressed.
 */
export async function loadAgain(page: Page, failure: RegExp): Promise<void> {
  const retry = page.getByRole('button', { name: 'Try again' }).first()
  const press = async () => {
    if (await retry.isVisible()) await retry.click({ timeout: 1000 }).catch(() => undefined)
    return await page.getByText(failure).count()
  }
  await expect.poll(press).toBe(0)
}

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Checks WCAG 2.2 AA as far as axe can. Excludes Fluent's focus helpers, which are not visible; dismisses toasts, which may cover something. */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  await dismissToasts(page)
  await expectNoViolation(wholePage(page), what)
}

/** Ends the time of every toast at once. */
export async function dismissToasts(page: Page): Promise<void> {
  const endTimers = () =>
    page.evaluate<number>(`(() => {
      for (const animation of document.getAnimations())
        if (animation.effect.target?.hasAttribute('data-timer-status')) animation.finish()
      return document.querySelectorAll('.fui-Toast').length
    })()`)
  await expect.poll(endTimers).toBe(0)
}

/** Keeps toasts until another one replaces them: a busy machine may miss their five seconds. */
export const keepToasts = (page: Page): Promise<void> =>
  page.evaluate<void>(`(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('[data-timer-status] { animation-play-state: paused !important }')
    document.adoptedStyleSheets.push(sheet)
  })()`)

/** Checks the toast that contains a text; hovering keeps it open. */
export async function expectToastAccessible(page: Page, text: string, look: string): Promise<void> {
  const toast = page.locator('.fui-Toast').filter({ hasText: text })
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
  await expectNoViolation(wholePage(page).include('.fui-Toast'), `${text}, ${look}`)
}

/** Returns the names of the controls inside a part of the page that the toast covers. */
export const listControlsUnderToast = (page: Page, part: string): Promise<string[]> =>
  page.evaluate<string[]>(`(() => {
    const toast = document.querySelector('.fui-Toast').getBoundingClientRect()
    const isCovered = (control) => {
      const { left, right, top, bottom, width } = control.getBoundingClientRect()
      return width > 0 && left < toast.right && right > toast.left && top < toast.bottom && bottom > toast.top
    }
    const controls = [...document.querySelectorAll('${part}')].flatMap((root) => [...root.querySelectorAll('a, button, input')])
    return controls.filter(isCovered).map((control) => control.getAttribute('aria-label') ?? control.textContent)
  })()`)

/**
 * Legacy mode: the default opens another tab for each run to support frames, which takes twice as long. So does describing
 * every element that passes.
 */
const wholePage = (page: Page) =>
  new AxeBuilder({ page })
    .setLegacyMode()
    .options({ resultTypes: ['violations'] })
    .withTags(rules)
    .exclude('[data-tabster-dummy]')

async function expectNoViolation(axe: AxeBuilder, what: string): Promise<void> {
  const { violations } = await axe.analyze()
  const found = violations.map(({ id, nodes }) => `${what}: ${id} ${nodes[0]?.target.join(' ')}`)
  expect(found).toEqual([])
}

/**
 * Checks that a screen that was just loaded has none of Fluent's hidden elements that take the focus, which audits of accessibility
 * refuse. They are there from when a dialog or a drawer is opened first.
 */
export async function expectNoFocusHelper(page: Page, what: string): Promise<void> {
  const helpers = await page.evaluate<number>(
    `document.querySelector('[role=dialog]') ? 0 : document.querySelectorAll('[data-tabster-dummy]').length`,
  )
  expect({ what, helpers }).toEqual({ what, helpers: 0 })
}

/** Checks that nothing is wider than the window. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const overflow = await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
  expect(overflow).toBeLessThanOrEqual(0)
}

/**
 * Returns the beginnings of the texts that end beyond the box around them: beyond what clips or frames them, unless they end with an
 * ellipsis or can be scrolled to.
 */
export const listCutTexts = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`(() => {
    const isCut = (element, right) => {
      for (let at = element; at !== document.documentElement; at = at.parentElement) {
        const { overflowX, textOverflow, borderRightWidth } = getComputedStyle(at)
        const box = at.getBoundingClientRect()
        // For screen readers alone.
        if (box.width <= 1) return false
        if (overflowX === 'auto' || overflowX === 'scroll') return false
        if (overflowX !== 'visible' && textOverflow === 'ellipsis') return false
        const isFrame = overflowX !== 'visible' || borderRightWidth !== '0px' || ['dialog', 'cell', 'columnheader'].includes(at.role) || /T[DH]/.test(at.tagName) || at === document.body
        if (isFrame && right > box.right + 2) return true
      }
      return false
    }
    const found = []
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const { data, parentElement } = texts.currentNode
      const range = document.createRange()
      range.selectNodeContents(texts.currentNode)
      const { right, width } = range.getBoundingClientRect()
      if (width > 0 && data.trim() !== '' && parentElement.tagName !== 'OPTION' && isCut(parentElement, right)) found.push(data.slice(0, 40))
    }
    return found
  })()`)

/** Returns the background colors of an element and its ancestors. */
export const groundsBehind = (page: Page, selector: string): Promise<string[]> =>
  page.evaluate<string[]>(`(() => {
    const found = new Set()
    for (let at = document.querySelector('${selector}'); at; at = at.parentElement)
      found.add(getComputedStyle(at).backgroundColor)
    return [...found]
  })()`)

/** Takes a picture of a screen, for a person to look at, when the variable PICTURES names a folder. */
export async function takePicture(page: Page, name: string): Promise<void> {
  const folder = process.env['PICTURES']
  if (folder) await page.screenshot({ path: `${folder}/${name.replaceAll(/\W+/g, '-')}.png`, fullPage: true })
}
