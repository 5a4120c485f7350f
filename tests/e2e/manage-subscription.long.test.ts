import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waitForSubscriptionStatus, subscribe } from '#tests/support/billing.ts'
import { newMember } from '#tests/support/members.ts'
import { extractPdfText } from '#tests/support/pdf.ts'
import { newOwner, newUser, password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { dismissToasts, expectAccessible, expectNoSidewaysScroll, launchBrowser, openWindow } from './browser.ts'
import { looks } from './looks.ts'

const failingCard = { cardNumber: '4000 0000 0000 0341' }

describe('Manage Subscription', () => {
  let app: TestApp
  let browser: Browser

  beforeAll(async () => {
    app = await startTestApp({ contactEmail: 'desk@everchart.test' })
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
  async function subscriber(plan = 'professional', card: object = {}, look = {}) {
    const owner = await newOwner(app)
    await subscribe(owner.client, plan, card)
    return { ...owner, ...(await signedIn(owner.registration.email, look)) }
  }
  const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
  async function looksRight(page: Page, what: string): Promise<void> {
    await dismissToasts(page)
    const folder = process.env['SCREENSHOTS']
    if (folder) await page.screenshot({ path: `${folder}/${what.replaceAll(/\W+/g, '-')}.png`, fullPage: true })
    await expectAccessible(page, what)
    await expectNoSidewaysScroll(page)
  }
  const day = (instant: string) =>
    new Date(instant).toLocaleDateString('en-US', { month: 'short', day: '2-digit', year: 'numeric', timeZone: 'UTC' })

  it.each(looks)('shows the plan, cancels it and reactivates it: $name', async ({ name, ...look }) => {
    const { client, page, complaints, registration } = await subscriber('professional', {}, look)
    const { currentPeriodEnd } = (await client.get('/api/subscription/status')).body
    const ends = day(currentPeriodEnd)
    await page.goto('/manage-subscription')
    const current = panel(page, 'Current Subscription')
    await current.getByText('Professional', { exact: true }).waitFor()
    await current.getByText('$129.00 per month').waitFor()
    await current.getByText('Trial', { exact: true }).waitFor()
    await current.getByText(ends, { exact: true }).waitFor()
    await current.getByText('Free trial, 30 days left').waitFor()
    await current.getByText(String(registration.email)).waitFor()
    await current.getByText('0 of 2,000').waitFor()
    const support = page.getByText('contact billing support:').getByRole('link', { name: 'desk@everchart.test' })
    expect(await support.getAttribute('href')).toBe('mailto:desk@everchart.test?subject=Billing')
    await panel(page, 'Change Plan').getByText('Up to 500 patients, Basic AI insights, Standard scheduling').waitFor()
    await looksRight(page, `active ${name}`)

    await current.getByRole('button', { name: 'Cancel Subscription' }).click()
    const question = page.getByRole('alertdialog')
    await question.getByText(`You keep Professional until ${ends}.`, { exact: false }).waitFor()
    await looksRight(page, `the question ${name}`)
    await question.getByRole('button', { name: 'Keep Subscription' }).click()
    await question.waitFor({ state: 'detached' })
    await current.getByRole('button', { name: 'Cancel Subscription' }).click()
    await question.getByRole('button', { name: 'Cancel Subscription' }).click()
    await page.getByText('Your subscription will end at the current billing period.').waitFor()
    await current.getByText('Canceling', { exact: true }).waitFor()
    await page.getByText(`Your subscription ends on ${ends}`).waitFor()
    expect(await panel(page, 'Change Plan').count()).toBe(0)
    expect(await current.getByRole('button', { name: 'Cancel Subscription' }).count()).toBe(0)
    await looksRight(page, `canceling ${name}`)
    await page.goto('/patients')
    const banner = page.getByRole('complementary', { name: 'Subscription', exact: true })
    await banner.getByText(`Your subscription ends on ${ends}.`).waitFor()
    await page.getByText('No patients registered yet').waitFor()
    await looksRight(page, `ending banner ${name}`)

    await banner.getByRole('link', { name: 'Reactivate' }).click()
    await page.getByRole('button', { name: 'Reactivate' }).click()
    await page.getByText('Subscription Reactivated').waitFor()
    await current.getByText('Trial', { exact: true }).waitFor()
    expect((await client.get('/api/subscription/status')).body).toMatchObject({ cancelAtPeriodEnd: false })
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it.each(looks.slice(-1))(
    'warns all users after a failed payment until another card pays: $name',
    async ({ name, ...look }) => {
      const { client, page, practice, complaints } = await subscriber('starter', failingCard, look)
      const member = await newMember(app, practice.id, 'staff')
      await page.goto('/billing-portal')
      await page.getByText('Sandbox: no real card is charged').waitFor()
      await panel(page, 'Card on file').getByText('Visa ending in 0341').waitFor()
      await panel(page, 'Invoices').getByText('No invoices yet.', { exact: false }).waitFor()
      await page.getByLabel('Days').fill('0')
      await page.getByRole('button', { name: 'Advance clock' }).click()
      await page.getByText('Please enter 1 to 400 days').waitFor()
      await page.getByLabel('Days').fill('31')
      await page.keyboard.press('Enter')
      await page.getByText('Test clock advanced').waitFor()
      await panel(page, 'Subscription').getByText('Past Due').waitFor()
      await panel(page, 'Invoices').getByText('Payment failed').waitFor()
      await looksRight(page, `portal past due ${name}`)

      const { accessUntil } = await waitForSubscriptionStatus(client, 'past_due')
      await page.goto('/patients')
      const banner = page.getByRole('complementary', { name: 'Subscription', exact: true })
      await banner.getByText(`You have access until ${day(accessUntil)}.`, { exact: false }).waitFor()
      await page.getByText('No patients registered yet').waitFor()
      await looksRight(page, `past due banner ${name}`)
      const other = await signedIn(member.registration.email, look)
      await other.page.goto('/patients')
      await other.page.getByText('Ask the owner or an administrator to update the card.', { exact: false }).waitFor()
      await banner.getByRole('link', { name: 'Update card' }).click()
      await panel(page, 'Current Subscription').getByText('Past Due').waitFor()
      await looksRight(page, `past due ${name}`)

      const opened = page.waitForEvent('popup')
      await page.getByRole('main').getByRole('button', { name: 'Update card' }).click()
      const portal = await opened
      await portal.getByRole('button', { name: 'Change card' }).click()
      const dialog = portal.getByRole('dialog')
      await dialog.getByRole('button', { name: 'Pay with this card' }).click()
      await dialog.getByText('Your card number is incomplete.').waitFor()
      await looksRight(portal, `card dialog ${name}`)
      const type = async (number: string) => {
        await dialog.getByLabel('Card number').fill(number)
        await dialog.getByLabel('Expires').fill('12 / 40')
        await dialog.getByLabel('Security code').fill('123')
        await portal.keyboard.press('Enter')
      }
      await type('4000000000000002')
      await dialog.getByText('Your card was declined.').waitFor()
      await type('4000002500003155')
      await portal.getByText('Confirm with your bank').waitFor()
      await portal.getByRole('button', { name: 'Confirm', exact: true }).click()
      await portal.getByText('The open invoice is paid.').waitFor()
      await panel(portal, 'Card on file').getByText('Visa ending in 3155').waitFor()
      await panel(portal, 'Subscription').getByText('Active', { exact: true }).waitFor()
      await looksRight(portal, `portal paid ${name}`)

      // Live updates refresh the other windows.
      await panel(page, 'Current Subscription').getByText('Active', { exact: true }).waitFor()
      await other.page.getByRole('complementary', { name: 'Subscription', exact: true }).waitFor({ state: 'detached' })
      expect([...complaints, ...other.complaints]).toEqual([])
      await other.page.context().close()
      await page.context().close()
    },
  )

  it('says that access has ended, and leads the owner to the card', async () => {
    const { client, page } = await subscriber('starter', failingCard)
    await client.post('/api/billing-sandbox/advance', { days: 31 })
    await waitForSubscriptionStatus(client, 'past_due')
    await client.post('/api/billing-sandbox/advance', { days: 14 })
    await page.goto('/manage-subscription')
    await page.getByText('Access to Starter ended on', { exact: false }).waitFor()
    await page.getByRole('main').getByRole('button', { name: 'Update card' }).waitFor()
    await looksRight(page, 'access ended')
    await page.context().close()
  })

  it('upgrades immediately and downgrades later', async () => {
    const { client, page, complaints } = await subscriber()
    await client.post('/api/billing-sandbox/advance', { days: 31 })
    const { currentPeriodEnd } = await waitForSubscriptionStatus(client, 'active')
    const next = day(currentPeriodEnd)
    await page.goto('/manage-subscription')
    const plans = panel(page, 'Change Plan')
    await plans.getByRole('button', { name: 'Upgrade to Enterprise' }).click()
    const question = page.getByRole('alertdialog', { name: 'Upgrade to Enterprise?' })
    await question.getByText('The difference for the rest of this period is charged', { exact: false }).waitFor()
    await looksRight(page, 'upgrade')
    await question.getByRole('button', { name: 'Upgrade to Enterprise' }).click()
    await page.getByText('Your subscription plan has been updated successfully.').waitFor()
    await panel(page, 'Current Subscription').getByText('$249.00 per month').waitFor()

    await plans.getByRole('button', { name: 'Downgrade to Professional' }).click()
    const down = page.getByRole('alertdialog', { name: 'Downgrade to Professional?' })
    await down.getByText(`You keep Enterprise until ${next}.`, { exact: false }).waitFor()
    await looksRight(page, 'downgrade')
    await down.getByRole('button', { name: 'Downgrade to Professional' }).click()
    await plans.getByText(`From ${next}`).waitFor()
    await looksRight(page, 'downgrade planned')
    await plans.getByRole('button', { name: 'Keep Enterprise' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Keep Enterprise' }).click()
    await plans.getByText('Your plan').waitFor()
    expect((await client.get('/api/subscription/status')).body).toMatchObject({ nextPlan: null })
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it('downloads the latest invoice, which states the amount paid', async () => {
    const { client, page } = await subscriber()
    await page.goto('/manage-subscription')
    await page.getByRole('button', { name: 'Download Invoice' }).click()
    await page.getByText('Your first invoice arrives with your first payment.').waitFor()
    await client.post('/api/billing-sandbox/advance', { days: 31 })
    await waitForSubscriptionStatus(client, 'active')
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download Invoice' }).click()
    const file = await download
    expect(file.suggestedFilename()).toMatch(/^invoice-\d{4}-\d{2}\.pdf$/)
    const words = extractPdfText(await readFile(await file.path()))
    expect(words).toContain('Invoice 1')
    expect(words).toContain('Amount: $129.00')
    expect(words).toContain('Sandbox: no real card is charged.')
    await page.goto('/billing-portal')
    const link = page.getByRole('link', { name: 'Invoice 1 as PDF' })
    const answer = await page.request.get((await link.getAttribute('href')) ?? '')
    expect(extractPdfText(await answer.body())).toContain('Status: Paid')
    await page.context().close()
  })

  it('shows errors with the texts of the spec', async () => {
    const { page } = await subscriber()
    await page.goto('/manage-subscription')
    const current = panel(page, 'Current Subscription')
    for (const path of ['billing/invoice/latest', 'billing/portal', 'subscription/cancel', 'subscription/change-plan'])
      await page.route(`**/api/${path}`, (route) => route.abort())
    await current.getByRole('button', { name: 'Download Invoice' }).click()
    await page.getByText('Unable to download invoice. Please try again.').waitFor()
    await current.getByRole('button', { name: 'Billing Portal' }).click()
    await page.getByText('Unable to access billing portal. Please try again.').waitFor()
    await current.getByRole('button', { name: 'Cancel Subscription' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel Subscription' }).click()
    await page.getByText('Failed to cancel subscription. Please try again.').waitFor()
    await page.getByRole('button', { name: 'Keep Subscription' }).click()
    await page.getByRole('button', { name: 'Upgrade to Enterprise' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Upgrade to Enterprise' }).click()
    await page.getByText('Failed to change plan. Please try again.').waitFor()
    await page.context().close()
  })

  it('says that a change was not confirmed, and shows what has happened', async () => {
    const { page } = await subscriber()
    const message = 'It may have happened. Check your plan.'
    const title = 'Not available right now'
    const problem = { type: 'about:blank', title, status: 503, code: 'outcome-unknown', message, errors: [] }
    for (const path of ['cancel', 'reactivate', 'change-plan'])
      await page.route(`**/api/subscription/${path}`, async (route) => {
        await route.fetch()
        await route.fulfill({ status: 503, contentType: 'application/problem+json', body: JSON.stringify(problem) })
      })
    await page.goto('/manage-subscription')
    const current = panel(page, 'Current Subscription')
    const notConfirmed = page.locator('.fui-Toast').filter({ hasText: 'Not Confirmed' }).filter({ hasText: message })
    await page.getByRole('button', { name: 'Upgrade to Enterprise' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Upgrade to Enterprise' }).click()
    await notConfirmed.first().waitFor()
    await current.getByText('$249.00 per month').waitFor()
    await current.getByRole('button', { name: 'Cancel Subscription' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel Subscription' }).click()
    await page.getByRole('main').getByRole('button', { name: 'Reactivate' }).first().click()
    await current.getByRole('button', { name: 'Cancel Subscription' }).waitFor()
    expect(await page.getByRole('alertdialog').count()).toBe(0)
    await page.context().close()
  })

  it('shows other roles the plan, and lets only the owner change it', async () => {
    const { practice, page: desk } = await subscriber()
    const member = await newMember(app, practice.id, 'staff')
    const { page } = await signedIn(member.registration.email)
    await page.goto('/manage-subscription')
    await page.getByText('Only the owner and administrators can change the subscription.').waitFor()
    await looksRight(page, 'manage for a member')
    expect(
      await page
        .getByRole('main')
        .getByRole('button', { name: /Cancel|Portal|Upgrade/ })
        .count(),
    ).toBe(0)
    await page.goto('/billing-portal')
    await page.getByText('Billing is for the owner and administrators').waitFor()
    await looksRight(page, 'portal for a member')
    await page.context().close()
    await desk.context().close()
  })

  it('says that there is no subscription, and leads to the plans', async () => {
    const owner = await newOwner(app)
    const { page } = await signedIn(owner.registration.email)
    await page.goto('/manage-subscription')
    await page.getByText('No Active Subscription').waitFor()
    await looksRight(page, 'none')
    await page.getByRole('button', { name: 'View plans' }).click()
    await page.waitForURL(/subscription$/)
    await page.goto('/billing-portal')
    await page.getByText('No subscription yet').waitFor()
    const newcomer = await newUser(app)
    const stranger = await signedIn(newcomer.registration.email)
    await stranger.page.goto('/manage-subscription')
    await stranger.page.getByText('No Active Subscription').waitFor()
    await stranger.page.context().close()
    await page.context().close()
  })
})
