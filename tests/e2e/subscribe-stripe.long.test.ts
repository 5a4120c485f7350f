import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newOwner } from '#tests/support/practice.ts'
import { type StripeCall, startStripeServer } from '#tests/support/stripe-server.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { launchBrowser } from './browser.ts'
import { accessible, payButton, windowOf } from './payment-steps.ts'

const prices = { starter: 'price_s', professional: 'price_p', enterprise: 'price_e' }
const start = 1_790_000_000
const month = 30 * 86_400

/** Creates the handler of a Stripe server that starts a trial for each subscription and remembers it. */
function createStripeHandler() {
  const known = new Map<string, object>()
  return ({ path, form }: StripeCall) => {
    if (path === '/v1/customers') return { body: { id: 'cus_1', object: 'customer' } }
    const asked = known.get(/subscriptions\/(\w+)/.exec(path)?.[1] ?? '')
    if (asked) return { body: asked }
    const item = { price: { id: 'price_p' }, current_period_start: start, current_period_end: start + month }
    const [practiceId, checkoutId, plan] = ['practiceId', 'checkoutId', 'plan'].map((name) => form[`metadata[${name}]`])
    const subscription = {
      id: `sub_${known.size + 1}`,
      object: 'subscription',
      status: 'trialing',
      created: start,
      cancel_at_period_end: false,
      trial_end: start + month,
      pending_setup_intent: { id: 'seti_1', client_secret: 'seti_1_secret_2' },
      default_payment_method: null,
      latest_invoice: null,
      items: { data: [{ id: 'si_1', ...item }] },
      metadata: { practiceId, checkoutId, plan },
    }
    known.set(subscription.id, subscription)
    return { body: subscription }
  }
}

/** Replacement for Stripe's script, which tests cannot load: one field; the first card is declined, the second accepted. */
const script = `
  let tries = 0
  window.Stripe = (key) => ({
    elements: ({ clientSecret, appearance }) => ({
      submit: async () => ({}),
      create: () => ({
        on: (name, call) => name === 'ready' && setTimeout(call),
        mount: (place) => {
          place.innerHTML = '<label>Card of Stripe <input></label>'
          window.asked = { key, clientSecret, text: appearance.variables.colorText }
        },
        destroy: () => undefined,
      }),
    }),
    confirmSetup: async ({ clientSecret, confirmParams }) => {
      if (tries++ === 0) return { error: { type: 'card_error', message: 'Your card was declined.' } }
      location.assign(confirmParams.return_url)
      return await new Promise(() => undefined)
    },
  })
  window.Stripe.version = 'endive'`

/** Payment step with a Stripe key: Stripe's own fields, with its script on no other page. */
describe('paying with Stripe', () => {
  let app: TestApp
  let browser: Browser
  let stripe: Awaited<ReturnType<typeof startStripeServer>>

  beforeAll(async () => {
    stripe = await startStripeServer(createStripeHandler())
    const settings = { secretKey: 'sk_test_1', publishableKey: 'pk_test_1', prices, apiBase: stripe.url }
    app = await startTestApp({ sandbox: 'off', stripe: settings })
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await app?.dispose()
    await stripe?.close()
  })

  async function choosePlan() {
    const owner = await newOwner(app, { selectedPlan: 'starter' })
    const { page, complaints } = await windowOf({ app, browser }, owner)
    const scripts: string[] = []
    await page.route('https://js.stripe.com/**', (route) => {
      scripts.push(route.request().url())
      return route.fulfill({ contentType: 'text/javascript', body: script })
    })
    await page.goto('/subscription')
    await page.getByRole('button', { name: 'Start Professional' }).click()
    return { page, complaints, scripts }
  }

  it('shows its fields and the reason for a declined card, pays with another card and returns', async () => {
    const { page, complaints, scripts } = await choosePlan()
    await page.getByLabel('Card of Stripe').waitFor()
    expect(scripts).toHaveLength(1)
    expect(await page.getByText('Sandbox: no real card is charged').count()).toBe(0)
    expect(await page.evaluate('window.asked')).toEqual({
      key: 'pk_test_1',
      clientSecret: 'seti_1_secret_2',
      text: expect.stringMatching(/^#/),
    })
    await accessible(page, 'the payment with Stripe')
    await payButton(page).click()
    await page.getByText('Payment Failed').waitFor()
    await page.getByRole('alert').getByText('Your card was declined.').first().waitFor()
    await accessible(page, 'the payment with Stripe, declined')
    await payButton(page).click()
    await page.waitForURL(/\/\?subscription=success$/)
    await page.getByText('Checking your payment...').waitFor()
    expect(await page.evaluate<string>('typeof window.Stripe')).toBe('undefined')
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it('resumes after a reload, and unloads the script when leaving the step', async () => {
    const { page, complaints, scripts } = await choosePlan()
    await page.getByLabel('Card of Stripe').waitFor()
    await page.reload()
    await page.getByLabel('Card of Stripe').waitFor()
    expect(await page.evaluate<string>('window.asked.clientSecret')).toBe('seti_1_secret_2')
    await page.getByRole('link', { name: 'Choose another plan' }).click()
    await page.getByRole('button', { name: 'Start Starter' }).waitFor()
    await expect.poll(() => page.evaluate<string>('typeof window.Stripe').catch(() => 'reloading')).toBe('undefined')
    // On other pages the content security policy blocks it.
    const refused = await page.evaluate<string>(`new Promise((resolve) => {
      const tag = Object.assign(document.createElement('script'), { src: 'https://js.stripe.com/endive/stripe.js' })
      tag.onload = () => resolve('loaded')
      tag.onerror = () => resolve('refused')
      document.head.append(tag)
    })`)
    expect(refused).toBe('refused')
    expect(scripts).toHaveLength(2)
    expect(complaints.filter((message) => !/security policy/i.test(message))).toEqual([])
    await page.context().close()
  })

  it('says when the fields cannot be loaded, and retries', async () => {
    const owner = await newOwner(app, { selectedPlan: 'starter' })
    const { page } = await windowOf({ app, browser }, owner)
    await page.route('https://js.stripe.com/**', (route) => route.abort())
    await page.goto('/subscription?plan=professional&step=payment')
    await page.getByText('The card fields did not load').waitFor()
    await accessible(page, 'no fields of Stripe')
    await page.unrouteAll()
    await page.route('https://js.stripe.com/**', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: script }),
    )
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByLabel('Card of Stripe').waitFor()
    await page.context().close()
  })
})
