import type { Browser, Page } from 'playwright'
import { launchOwnBrowser } from '#tests/e2e/browser.ts'
import { newSubscriber } from '#tests/support/billing.ts'
import { type Client, createClient } from '#tests/support/client.ts'
import { desktop, measureLoads, phone } from './page-load.ts'
import { summarizeTimings, type Timing } from './timing.ts'

const paths = ['/auth', '/dashboard', '/patients', '/appointments'] as const
const goals = { cls: 0.02, scripts: 12, scriptKB: 260 }
const desktopGoals = { ...goals, lcpMs: 1_000 }
const phoneGoals = { ...goals, lcpMs: 2_500, blockedMs: 200 }

const patients = 200
const clicks = 30

/** Loads screens of the application in Chromium, and measures the time from a click that writes until the row is painted. */
export async function benchBrowser(
  url: string,
): Promise<{ screens: Record<string, string | number>[]; clicks: (Timing & { goalP95: number })[] }> {
  const { client } = await newSubscriber({ newClient: () => createClient(url) })
  for (let n = 0; n < patients; n++) await addPatient(client, `Patient ${n}`)
  const browser = await launchOwnBrowser()
  try {
    const screens: Record<string, string | number>[] = []
    for (const path of paths) {
      const cookies = path === '/auth' ? [] : cookiesOf(client)
      const load = async (device: 'phone' | 'desktop') => ({
        device,
        ...(device === 'phone'
          ? await measureLoads(browser, phone, url + path, phoneGoals, cookies)
          : await measureLoads(browser, desktop, url + path, desktopGoals, cookies)),
      })
      screens.push(await load('desktop'), await load('phone'))
    }
    const page = await openPage(browser, url, client)
    return { screens, clicks: [await measureAdding(page), await measureBooking(page, client)] }
  } finally {
    await browser.close()
  }
}

async function addPatient(client: Client, lastName: string): Promise<void> {
  const { status } = await client.post('/api/patients', { firstName: 'Bench', lastName })
  if (status !== 201) throw new Error(`a patient was answered ${status}`)
}

const cookiesOf = (client: Client) =>
  (client.cookie()?.split('; ') ?? []).map((pair) => {
    const end = pair.indexOf('=')
    return { name: pair.slice(0, end), value: pair.slice(end + 1) }
  })

async function openPage(browser: Browser, url: string, client: Client): Promise<Page> {
  const context = await browser.newContext({ baseURL: url, viewport: desktop.viewport, locale: 'en-US' })
  await context.addCookies(cookiesOf(client).map((cookie) => ({ ...cookie, url })))
  return await context.newPage()
}

/** Returns a number as two letters, in the same order. */
const toLetters = (number: number) => String.fromCodePoint(97 + Math.floor(number / 26), 97 + (number % 26))

/** Adds patients whose names come first in the list. */
async function measureAdding(page: Page): Promise<Timing & { goalP95: number }> {
  await page.goto('/patients')
  const durations: number[] = []
  for (let n = 0; n < clicks; n++) {
    // Each comes before the last one: otherwise the first page would be full of them.
    const lastName = `Aaron ${toLetters(clicks - n)}`
    await page.getByRole('button', { name: 'Add Patient' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('First name').first().fill('Bench')
    await dialog.getByLabel('Last name').first().fill(lastName)
    durations.push(await clickUntilShown(page, /^Add Patient$/, 'table', lastName))
    await dialog.waitFor({ state: 'detached' })
  }
  return withGoal(summarizeTimings('add a patient: click to row', 1, durations, sum(durations) / 1_000))
}

/** Books appointments on one day in the far future, one for each patient. */
async function measureBooking(page: Page, client: Client): Promise<Timing & { goalP95: number }> {
  const durations: number[] = []
  const date = '2031-03-04'
  await page.goto(`/appointments?date=${date}`)
  for (let n = 0; n < clicks; n++) {
    const lastName = `Booked ${toLetters(n)}`
    await addPatient(client, lastName)
    await page.getByRole('button', { name: 'Schedule Appointment' }).first().click()
    const form = page.getByRole('dialog', { name: 'Schedule Appointment' })
    await page.getByPlaceholder('Name, phone or date of birth').fill(lastName)
    await page.getByRole('option', { name: new RegExp(lastName) }).click()
    await form.getByLabel('Type*').selectOption('check-up')
    durations.push(await clickUntilShown(page, /^(Schedule appointment|Book anyway)$/, 'ol > li', lastName))
    await form.waitFor({ state: 'detached' })
  }
  return withGoal(summarizeTimings('book an appointment: click to block', 1, durations, sum(durations) / 1_000))
}

/** Clicks the button of a dialog, and returns the milliseconds until the frame in which an element with this text is painted. */
const clickUntilShown = (page: Page, button: RegExp, selector: string, text: string): Promise<number> =>
  // A text, because the tests have no types of the page.
  page.evaluate<number>(`new Promise((resolve) => {
    const isShown = () =>
      [...document.querySelectorAll('${selector}')].some((each) => each.textContent.includes('${text}'))
    const button = [...document.querySelectorAll('[role=dialog] button')].find((each) => ${button}.test(each.textContent))
    const began = performance.now()
    const observer = new MutationObserver(() => {
      if (!isShown()) return
      observer.disconnect()
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - began)))
    })
    observer.observe(document.body, { childList: true, subtree: true, characterData: true })
    button.click()
  })`)

const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0)

/** Milliseconds after which a click that writes should have shown its row, for 95 of 100. */
const withGoal = (timing: Timing) => ({ ...timing, goalP95: 100 })
