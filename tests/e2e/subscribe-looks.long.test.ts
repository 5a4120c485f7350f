import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newMember } from '#tests/support/members.ts'
import { newOwner, newUser, password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { expectAccessible, launchBrowser } from './browser.ts'
import { accessible, payButton, typeCard, welcomed, windowOf } from './payment-steps.ts'
import { looks } from './looks.ts'

/** Appearance of prices, plans and payment, for users with and without permission to choose a plan. */
describe('the screens of subscribing', () => {
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

  const newPractice = () => newOwner(app, { selectedPlan: 'starter' })

  it.each(looks)('is accessible and fits the window in every state: $name', async ({ name, ...look }) => {
    const { page, complaints } = await windowOf({ app, browser }, await newPractice(), look)
    await page.goto('/pricing')
    await page.getByRole('heading', { level: 1, name: 'Simple pricing' }).waitFor()
    await page.getByText('Is our data secure?').click()
    await page.getByText('every change is recorded').waitFor()
    await accessible(page, `pricing, ${name}`)
    await page.goto('/subscription?plan=enterprise')
    await page.getByRole('button', { name: 'Start Enterprise' }).waitFor()
    await page.getByRole('button', { name: 'Can I change my plan later?' }).click()
    await page.getByText('Changes take effect on the next billing cycle.').waitFor()
    await accessible(page, `plans, ${name}`)
    await page.getByRole('button', { name: 'Start Professional' }).click()
    await payButton(page).click()
    await page.getByText('Your card number is incomplete.').waitFor()
    await accessible(page, `payment, incomplete, ${name}`)
    await typeCard(page, '4000000000000002')
    await payButton(page).click()
    await page.getByRole('alert').getByText('Your card was declined.').first().waitFor()
    await accessible(page, `payment, declined, ${name}`)
    await typeCard(page, '4000002500003155')
    await payButton(page).click()
    await page.getByRole('alertdialog', { name: 'Confirm this payment' }).waitFor()
    await expectAccessible(page, `payment, to be confirmed, ${name}`)
    await page.getByRole('button', { name: 'Confirm payment' }).click()
    await welcomed(page)
    await page.goto('/subscription')
    await page.getByText('Your practice has the Professional plan').waitFor()
    await accessible(page, `plans, subscribed, ${name}`)
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it('shows yearly prices, by keyboard, and leads through sign-in to the payment of the chosen plan', async () => {
    const owner = await newPractice()
    const { page } = await windowOf({ app, browser }, null)
    for (const [path, level] of [
      ['/', 3],
      ['/pricing', 2],
    ] as const) {
      await page.goto(path)
      const plan = page.getByRole('article').filter({ has: page.getByRole('heading', { level, name: 'Professional' }) })
      // The choice on one page is kept on the next.
      await page.getByRole('radio', { name: 'Monthly' }).check({ force: true })
      await plan.getByText('$129').waitFor()
      expect(await plan.getByText('Popular').isVisible()).toBe(true)
      await page.getByRole('radio', { name: 'Monthly' }).focus()
      await page.keyboard.press('ArrowRight')
      await plan.getByText('$1,290').waitFor()
      expect(await plan.innerText()).toContain('per year')
      expect(await page.getByRole('radio', { name: 'Yearly Save 20%' }).isChecked()).toBe(true)
      await accessible(page, `${path}, yearly`)
    }
    await page.getByRole('link', { name: 'Start Enterprise' }).click()
    await page.waitForURL(/\/auth/)
    await page.getByRole('tab', { name: 'Login' }).click()
    await page.getByLabel('Email').fill(String(owner.registration.email))
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/subscription\?plan=enterprise&step=payment$/)
    await page.getByRole('heading', { level: 1, name: 'Payment Details' }).waitFor()
    await page.context().close()
  })

  it('informs users who cannot choose, and users without a practice', async () => {
    const owner = await newPractice()
    const nurse = await windowOf({ app, browser }, await newMember(app, owner.practice.id, 'nurse'))
    await nurse.page.goto('/subscription')
    await nurse.page.getByText('You cannot choose a plan').waitFor()
    expect(await nurse.page.getByRole('button', { name: 'Start Starter' }).isDisabled()).toBe(true)
    await accessible(nurse.page, 'unknown who may choose')
    await nurse.page.context().close()
    const newcomer = await windowOf({ app, browser }, await newUser(app))
    await newcomer.page.goto('/subscription')
    await newcomer.page.getByText('Set up your practice first').waitFor()
    await accessible(newcomer.page, 'without a practice')
    await newcomer.page.getByRole('link', { name: 'Set up your practice' }).click()
    await newcomer.page.waitForURL(/\/onboarding/)
    await newcomer.page.context().close()
  })
})
