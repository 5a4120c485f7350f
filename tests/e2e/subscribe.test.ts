import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readStream } from '#tests/support/events.ts'
import { newSubscriber } from '#tests/support/billing.ts'
import { newOwner, password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { launchBrowser, loadAgain } from './browser.ts'
import { accessible, payButton, pays, toPayment, typeCard, welcomed, windowOf } from './payment-steps.ts'
import { itLong } from '#tests/support/long.ts'

/** Choosing a plan as a demo user and paying for it in the sandbox. */
describe('subscribing', () => {
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
  /** Returns the error of a field, which screen readers read after its name. */
  const getFieldError = async (page: Page, label: string) => {
    const [id = ''] = ((await page.getByLabel(label).getAttribute('aria-describedby')) ?? '').split(' ')
    return await page.locator(`[id="${id}"]`).innerText()
  }
  /** Returns the ids of all subscriptions of a practice in the sandbox's ledger. */
  const findSubscriptionIds = async (practiceId: string) => {
    const events = await readStream(app.services.store, `sandbox-${practiceId}`)
    const subscriptions = events.flatMap(({ data }) => (data['subscription'] as { subscriptionId: string }) ?? [])
    return new Set(subscriptions.map(({ subscriptionId }) => subscriptionId))
  }

  it('upgrades a demo user with the keyboard alone', async () => {
    const owner = await newPractice()
    const { page, complaints } = await windowOf({ app, browser }, owner)
    await page.goto('/subscription?plan=professional')
    await page.getByRole('button', { name: 'Start Professional' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Sandbox: no real card is charged').waitFor()
    // The first field has the focus.
    await expect
      .poll(() => page.evaluate<string>('document.activeElement?.getAttribute("name") ?? ""'))
      .toBe('cardNumber')
    await page.keyboard.type(pays)
    await page.keyboard.press('Tab')
    await page.keyboard.type('840')
    await page.keyboard.press('Tab')
    await page.keyboard.type('123')
    expect(await page.getByLabel('Card number').inputValue()).toBe('4242 4242 4242 4242')
    expect(await page.getByLabel('Expires').inputValue()).toBe('08 / 40')
    await page.keyboard.press('Enter')
    await welcomed(page)
    // The plan is visible without a reload.
    await page.getByText(/^Trial, \d+ days left$/).waitFor()
    expect(await page.getByText('Demo Mode').count()).toBe(0)
    expect((await owner.client.get('/api/user')).body).toMatchObject({
      subscriptionStatus: 'trial',
      subscriptionTier: 'professional',
      isDemoUser: false,
      isActiveSubscriber: true,
    })
    expect(complaints).toEqual([])
    await page.context().close()
  })

  itLong('greets users who pay before completing the setup, and leads on to its end', async () => {
    const owner = await newOwner(app)
    const { page, complaints } = await windowOf({ app, browser }, owner)
    // The setup was left at its third step.
    await page.goto('/onboarding')
    await page.getByRole('heading', { name: 'Stay Updated' }).waitFor()
    await toPayment(page)
    await typeCard(page, pays)
    await payButton(page).click()
    await page.getByText('Your free trial of the Professional plan has started.').waitFor()
    await page.waitForURL(/\/onboarding$/)
    await page.getByRole('heading', { name: 'Your Professional plan is active' }).waitFor()
    await accessible(page, 'the paid plan in the setup')
    await page.getByRole('button', { name: 'Complete Setup' }).click()
    await page.getByRole('heading', { name: 'Welcome, Harbor Clinic' }).waitFor()
    expect(await page.getByRole('button', { name: 'Explore the demo first' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Enter Application' }).click()
    await page.getByRole('heading', { name: 'Dashboard Overview' }).waitFor()
    const { body } = await owner.client.get(`/api/practices/${owner.practice.id}`)
    expect(body).toMatchObject({ setupComplete: true, selectedPlan: 'professional' })
    expect(complaints).toEqual([])
    await page.context().close()
  })

  itLong('shows beside the field that a card was declined, keeps the input, and accepts another card', async () => {
    const { page } = await windowOf({ app, browser }, await newPractice())
    await toPayment(page)
    await typeCard(page, '4000000000000002')
    await payButton(page).click()
    await page.getByText('Payment Failed').waitFor()
    expect(await getFieldError(page, 'Card number')).toBe('Your card was declined.')
    expect(await page.getByLabel('Expires').inputValue()).toBe('08 / 40')
    // The number is selected, so typing replaces it.
    await page.keyboard.type('4000000000009995')
    await payButton(page).click()
    await page.getByRole('alert').getByText('Your card has insufficient funds.').first().waitFor()
    expect(await getFieldError(page, 'Card number')).toBe('Your card has insufficient funds.')
    await page.keyboard.type(pays)
    await payButton(page).click()
    await welcomed(page)
    await page.context().close()
  })

  itLong('resumes the payment step after a reload', async () => {
    const owner = await newPractice()
    const { page } = await windowOf({ app, browser }, owner)
    const secrets: string[] = []
    page.on('response', (response) => {
      if (response.url().endsWith('/api/create-subscription'))
        void response.json().then((body: { clientSecret: string }) => secrets.push(body.clientSecret))
    })
    await toPayment(page)
    expect(page.url()).toContain('/subscription?plan=professional&step=payment')
    await page.reload()
    await page.getByLabel('Card number').waitFor()
    await expect.poll(() => secrets.length).toBe(2)
    expect(new Set(secrets).size).toBe(1)
    await page.getByText('Due today').waitFor()
    expect(await page.getByRole('region', { name: 'Professional' }).innerText()).toMatch(/Due today\s+\$0\.00/)
    await typeCard(page, pays)
    await payButton(page).click()
    await welcomed(page)
    expect((await findSubscriptionIds(owner.practice.id)).size).toBe(1)
    await page.context().close()
  })

  itLong('creates one subscription and one payment on double clicks', async () => {
    const owner = await newPractice()
    const { page } = await windowOf({ app, browser }, owner)
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(new URL(request.url()).pathname)
    })
    await page.goto('/subscription')
    await page.getByRole('button', { name: 'Start Professional' }).dblclick()
    await page.getByLabel('Card number').waitFor()
    await typeCard(page, pays)
    await payButton(page).dblclick()
    await welcomed(page)
    expect(sent.filter((path) => path === '/api/create-subscription')).toHaveLength(1)
    expect(sent.filter((path) => path === '/api/billing-sandbox/confirm')).toHaveLength(1)
    expect((await findSubscriptionIds(owner.practice.id)).size).toBe(1)
    await page.context().close()
  })

  itLong('asks for confirmation where the bank requires it, and charges nothing without it', async () => {
    const owner = await newPractice()
    const { page } = await windowOf({ app, browser }, owner)
    await toPayment(page)
    await typeCard(page, '4000002500003155')
    await payButton(page).click()
    await page.getByRole('alertdialog').getByText('with the card ending in 3155').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    expect(await getFieldError(page, 'Card number')).toContain('You did not confirm this payment.')
    expect((await owner.client.get('/api/subscription/status')).status).toBe(404)
    await payButton(page).click()
    await page.getByRole('button', { name: 'Confirm payment' }).dblclick()
    await welcomed(page)
    await page.context().close()
  })

  itLong('changes the plan of a trial directly, as nothing is due', async () => {
    const owner = await newPractice()
    const { page } = await windowOf({ app, browser }, owner)
    await toPayment(page)
    await typeCard(page, pays)
    await payButton(page).click()
    await welcomed(page)
    await page.goto('/subscription?plan=enterprise')
    await page.getByRole('button', { name: 'Change to Enterprise' }).click()
    await page.getByText('Your subscription plan has been updated successfully.').waitFor()
    await page.waitForURL(/\/practice$/)
    expect((await owner.client.get('/api/user')).body).toMatchObject({ subscriptionTier: 'enterprise' })
    // Returning to the payment shows an error and charges nothing.
    await page.goto('/subscription?plan=starter&step=payment')
    await page.getByText('You have a subscription already. You can change its plan.').waitFor()
    await page.waitForURL(/\/subscription$/)
    await page.context().close()
  })

  itLong('offers no plan while that of the practice is not known', async () => {
    const { page } = await windowOf({ app, browser }, await newSubscriber(app, 'starter'))
    await page.route('**/api/subscription/status', (route) => route.abort())
    await page.goto('/subscription')
    await page.getByText('Failed to load the plans').waitFor()
    expect(await page.getByRole('button', { name: /^Start / }).count()).toBe(0)
    await page.unroute('**/api/subscription/status')
    await loadAgain(page, /Failed to load the plans/)
    await page.getByRole('button', { name: 'Change to Professional' }).waitFor()
    await page.context().close()
  })

  itLong('shows what failed and that nothing was charged, and keeps the input', async () => {
    const { page } = await windowOf({ app, browser }, await newPractice())
    await page.route('**/api/subscription/plans', (route) => route.abort())
    await page.goto('/subscription?plan=starter')
    await page.getByText('Failed to load the plans').waitFor()
    await accessible(page, 'no plans')
    const sent = page.waitForRequest('**/api/subscription/plans')
    await page.getByRole('button', { name: 'Try again' }).click()
    await sent
    await page.unroute('**/api/subscription/plans')
    await loadAgain(page, /Failed to load the plans/)
    await page.getByRole('button', { name: 'Start Professional' }).waitFor()

    await page.route('**/api/create-subscription', (route) => route.abort())
    await page.getByRole('button', { name: 'Start Professional' }).click()
    await page.getByText('Subscription Failed').waitFor()
    await page.waitForURL(/\/subscription$/)
    await page.goto('/subscription?plan=professional&step=payment')
    await page.getByText('Subscription Error').waitFor()
    await page.waitForURL(/\/subscription$/)
    await page.unroute('**/api/create-subscription')

    await page.getByRole('button', { name: 'Start Professional' }).click()
    await typeCard(page, pays)
    await page.route('**/api/billing-sandbox/confirm', (route) => route.abort())
    await payButton(page).click()
    await page.getByText('Something went wrong with your payment').waitFor()
    await page.unroute('**/api/billing-sandbox/confirm')
    expect(await page.getByLabel('Card number').inputValue()).toBe('4242 4242 4242 4242')
    await payButton(page).click()
    await welcomed(page)
    await page.context().close()
  })

  itLong('keeps the input when the session has expired', async () => {
    const owner = await newPractice()
    const { page } = await windowOf({ app, browser }, owner)
    await toPayment(page)
    await typeCard(page, pays)
    // The session ends without the window noticing before it pays.
    await page.context().clearCookies()
    await payButton(page).click()
    await page.getByText('You were signed out').waitFor()
    await page.request.post('/api/login', { data: { email: owner.registration.email, password } })
    await payButton(page).click()
    await welcomed(page)
    await page.context().close()
  })
})
