import type { Browser, Page } from 'playwright'
import { password } from '#tests/support/practice.ts'
import type { TestApp } from '#tests/support/test-app.ts'
import { expectAccessible, expectNoSidewaysScroll, openWindow } from './browser.ts'

/** Test card that is accepted. */
export const pays = '4242424242424242'

type Look = { width?: number; height?: number; dark?: boolean }

/** Opens a window with a signed-in user, or signed out if `user` is null. */
export async function windowOf(
  { app, browser }: { app: Pick<TestApp, 'url'>; browser: Browser },
  user: { registration: { email: unknown } } | null,
  look: Look = {},
) {
  const screen = await openWindow(browser, { ...look, url: app.url })
  if (user) await screen.page.request.post('/api/login', { data: { email: user.registration.email, password } })
  return screen
}

/** Returns the payment button of the Professional plan. */
export const payButton = (page: Page) => page.getByRole('button', { name: 'Complete Subscription - $129/month' })

/** Opens the payment step of the Professional plan. */
export async function toPayment(page: Page): Promise<void> {
  await page.goto('/subscription')
  await page.getByRole('button', { name: 'Start Professional' }).click()
  await page.getByLabel('Card number').waitFor()
}

/** Fills the card fields of the sandbox without paying. */
export async function typeCard(page: Page, number: string): Promise<void> {
  await page.getByLabel('Card number').fill(number)
  await page.getByLabel('Expires').fill('0840')
  await page.getByLabel('Security code').fill('123')
}

/** Waits for the greeting after a payment. */
export async function welcomed(page: Page): Promise<void> {
  await page.getByText('Your free trial of the Professional plan has started.').waitFor()
  await page.waitForURL(/\/$/)
}

/** Checks that a screen is accessible and fits the window. */
export async function accessible(page: Page, what: string): Promise<void> {
  await expectAccessible(page, what)
  await expectNoSidewaysScroll(page)
}
