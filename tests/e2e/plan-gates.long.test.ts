import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waitForSubscriptionStatus, subscribe, waitForUserSubscription } from '#tests/support/billing.ts'
import type { Client } from '#tests/support/client.ts'
import { newMember } from '#tests/support/members.ts'
import { newOwner, password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { dismissToasts, expectAccessible, expectNoSidewaysScroll, launchBrowser, openWindow } from './browser.ts'
import { looks } from './looks.ts'

describe('Plan gates', () => {
  let app: TestApp
  let browser: Browser

  beforeAll(async () => {
    app = await startTestApp()
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await app?.dispose()
  })

  async function signedIn(email: unknown, look: { width?: number; height?: number; dark?: boolean } = {}) {
    const screen = await openWindow(browser, { ...look, url: app.url })
    await screen.page.request.post('/api/login', { data: { email, password } })
    return screen
  }
  const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
  async function looksRight(page: Page, what: string): Promise<void> {
    await dismissToasts(page)
    const folder = process.env['SCREENSHOTS']
    if (folder) await page.screenshot({ path: `${folder}/${what.replaceAll(/\W+/g, '-')}.png`, fullPage: true })
    await expectAccessible(page, what)
    await expectNoSidewaysScroll(page)
  }
  const csvOf = (count: number, from = 0) =>
    [
      'First Name,Last Name,DOB',
      ...Array.from({ length: count }, (_, row) => `First${from + row},Last${from + row},1980-01-01`),
    ].join('\n')
  /** Imports patients and waits until all of them are counted. */
  async function importPatients(client: Client, count: number): Promise<void> {
    await client.post('/api/patients/import', { csv: csvOf(count) })
    const countPatients = async () => (await client.get('/api/subscription/status')).body.patients
    await expect.poll(countPatients).toBe(count)
  }

  it.each(looks)('show one of three cards: $name', async ({ name, ...look }) => {
    const owner = await newOwner(app)
    const { page, complaints } = await signedIn(owner.registration.email, look)
    await page.goto('/ai-insights')
    await page.getByText('Upgrade to use AI Insights').waitFor()
    await page.goto('/analytics')
    await page.getByText('Upgrade to use Advanced Analytics').waitFor()
    await page.getByText('92.4%').waitFor()
    await looksRight(page, `gate demo ${name}`)
    expect(await page.getByRole('main').getByRole('link', { name: 'Upgrade' }).getAttribute('href')).toBe(
      '/subscription?plan=professional',
    )

    await subscribe(owner.client, 'starter', { cardNumber: '4000 0000 0000 0341' })
    await page.goto('/insurance')
    await page.getByText('No verifications yet').waitFor()
    await page.goto('/analytics')
    await page.getByText('Advanced Analytics needs the Professional plan or higher').waitFor()
    await page.getByText('Current plan: Starter').waitFor()
    await looksRight(page, `gate below tier ${name}`)
    const nurse = await newMember(app, owner.practice.id, 'nurse')
    const other = await signedIn(nurse.registration.email, look)
    await other.page.goto('/ai-insights')
    await other.page.getByText('Ask the owner or an administrator of your practice.').waitFor()
    expect(await other.page.getByRole('link', { name: 'Upgrade to Professional' }).count()).toBe(0)

    await owner.client.post('/api/billing-sandbox/advance', { days: 31 })
    await waitForSubscriptionStatus(owner.client, 'past_due')
    await owner.client.post('/api/billing-sandbox/advance', { days: 14 })
    await waitForUserSubscription(owner.client, 'demo')
    await page.goto('/insurance')
    await page.getByText('Subscription Required').waitFor()
    await page.getByText('Please activate your subscription to access Insurance Verification.').waitFor()
    await looksRight(page, `gate required ${name}`)
    const banner = page.getByRole('complementary', { name: 'Subscription', exact: true })
    await banner.getByText('Access to your plan has ended.', { exact: false }).waitFor()
    // While an invoice is open, every way to a plan leads to its payment.
    const links = [
      ['/insurance', 'Activate Subscription'],
      ['/dashboard', 'Upgrade to Subscription Account'],
    ] as const
    for (const [path, action] of links) {
      await page.goto(path)
      await page.getByRole('main').getByRole('link', { name: action }).click()
      await page.waitForURL(/\/manage-subscription$/)
      await page.getByText('Access to Starter ended on', { exact: false }).waitFor()
      await page.getByRole('main').getByRole('button', { name: 'Update card' }).waitFor()
    }
    for (const link of await page.locator('a', { hasText: /^Upgrade$/ }).all())
      expect(await link.getAttribute('href')).toBe('/manage-subscription')
    await page.goto('/subscription')
    await page.getByRole('main').getByText('The last payment failed').waitFor()
    await page.getByRole('main').getByRole('button', { name: 'Update card' }).waitFor()
    expect(await banner.count()).toBe(0)
    await looksRight(page, `plans while an invoice is open ${name}`)
    await page.getByRole('button', { name: 'Change to Enterprise' }).click()
    await page.waitForURL(/\/manage-subscription$/)
    expect([...complaints, ...other.complaints]).toEqual([])
    await other.page.context().close()
    await page.context().close()
  })

  it.each(looks)('show the plan in the settings: $name', async ({ name, ...look }) => {
    const owner = await newOwner(app)
    const { page, complaints } = await signedIn(owner.registration.email, look)
    const open = async () => {
      await page.goto('/practice')
      await page.getByRole('tab', { name: 'Billing' }).click()
    }
    await open()
    await panel(page, 'Billing').getByText('Professional Healthcare Plan').waitFor()
    await panel(page, 'Billing').getByText('$299 monthly').waitFor()
    await panel(page, 'Billing').getByText('Next billing Sep 28').waitFor()
    await looksRight(page, `settings billing demo ${name}`)
    await subscribe(owner.client, 'starter')
    await open()
    await panel(page, 'Billing').getByText('$49.00 per month').waitFor()
    await panel(page, 'Billing').getByText('Next billing date', { exact: false }).waitFor()
    await looksRight(page, `settings billing ${name}`)
    const opened = page.waitForEvent('popup')
    await page.getByRole('button', { name: 'Billing Portal' }).click()
    await (await opened).waitForURL(/billing-portal/)
    await page.getByRole('main').getByRole('link', { name: 'Manage Subscription' }).click()
    await page.waitForURL(/manage-subscription/)
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it('offer no second trial after a subscription has ended', async () => {
    const { client, registration } = await newOwner(app)
    await subscribe(client)
    const { page } = await signedIn(registration.email)
    await client.post('/api/subscription/cancel')
    await client.post('/api/billing-sandbox/advance', { days: 31 })
    await waitForUserSubscription(client, 'demo')
    await page.goto('/manage-subscription')
    await page.getByText('Your subscription has ended, and you are no longer billed.', { exact: false }).waitFor()
    expect(await page.getByText('30 days').count()).toBe(0)
    await looksRight(page, 'over')
    // The practice's own records are never mixed with sample figures.
    await page.goto('/dashboard')
    await page.getByText('Demo Mode Active - Your subscription has ended.', { exact: false }).waitFor()
    await page.getByText('No appointments scheduled for today').waitFor()
    expect(await page.getByText('+12% from yesterday').count()).toBe(0)
    const menu = page.getByRole('navigation', { name: 'Main' })
    expect(await menu.getByRole('link', { name: 'Appointments' }).textContent()).toBe('Appointments')
    await menu.getByRole('link', { name: 'AI Insights' }).click()
    await page.getByText('Please activate your subscription to access AI Insights.').waitFor()
    await page.context().close()
  })

  it('reject a smaller plan with the number of patients to remove first', async () => {
    const owner = await newOwner(app)
    await subscribe(owner.client)
    await importPatients(owner.client, 503)
    const { page } = await signedIn(owner.registration.email)
    await page.goto('/manage-subscription')
    const words = 'Starter holds 500 patients and you have 503. Remove 3 first.'
    const plans = panel(page, 'Change Plan')
    await plans.getByText(words).waitFor()
    await looksRight(page, 'too small')
    await plans.getByRole('button', { name: 'Downgrade to Starter' }).click()
    await page.getByRole('alertdialog', { name: 'Starter is too small' }).getByText(words).waitFor()
    await looksRight(page, 'too small asked')
    await page.getByRole('button', { name: 'Open patients' }).click()
    await page.waitForURL(/patients/)
    await page.context().close()
  })

  it('show the patient limit before an import and in the patient dialog', async () => {
    const owner = await newOwner(app)
    await subscribe(owner.client, 'starter')
    await importPatients(owner.client, 498)
    const { page, complaints } = await signedIn(owner.registration.email)
    await page.goto('/patients/import')
    const file = { name: 'patients.csv', mimeType: 'text/csv', buffer: Buffer.from(csvOf(5, 1_000)) }
    await page.locator('input[type=file]').setInputFiles(file)
    await page.getByRole('button', { name: 'Check the rows' }).click()
    await page.getByText('Your plan has room for 2 more patients').waitFor()
    await page.getByText('The first 2 of the file will be added. 3 will be left out', { exact: false }).waitFor()
    expect(await page.getByText('Will be added', { exact: true }).count()).toBe(2)
    expect(await page.getByText('No room in your plan', { exact: true }).count()).toBe(3)
    await looksRight(page, 'import room')
    await page.getByRole('button', { name: 'Import 2 patients' }).click()
    await page.getByRole('link', { name: 'Open patients' }).waitFor()
    await looksRight(page, 'import report')

    await page.goto('/patients')
    await page.getByRole('button', { name: 'Add Patient' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('First name').first().fill('Grace')
    await dialog.getByLabel('Last name').first().fill('Hopper')
    await dialog.getByRole('button', { name: 'Add Patient' }).click()
    const notice = dialog.getByRole('alert').filter({ hasText: 'Your plan is full' })
    await notice.getByText('Your Starter plan holds 500 patients. Upgrade to add more.').waitFor()
    await looksRight(page, 'plan limit dialog')
    expect(await notice.getByRole('link', { name: 'Upgrade' }).getAttribute('href')).toBe('/subscription')
    await page.goto('/patients/import')
    await page.locator('input[type=file]').setInputFiles(file)
    await page.getByRole('button', { name: 'Check the rows' }).click()
    await page.getByText('None of these patients can be added.').waitFor()
    expect(complaints).toEqual([])
    await page.context().close()
  })
})
