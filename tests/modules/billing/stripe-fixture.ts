import { expect } from 'vitest'
import { signMessage } from '#modules/billing/receive-message.ts'
import { newOwner } from '#tests/support/practice.ts'
import { type StripeCall, startStripeServer, type StripeResponse } from '#tests/support/stripe-server.ts'
import { startTestApp, webhookSecret } from '#tests/support/test-app.ts'

export const day = 86_400
/** The start of every test by Stripe's clock, in seconds. */
export const start = 1_790_000_000
export const iso = (at: number): string => new Date(at * 1_000).toISOString()
export const declined = { type: 'card_error', code: 'card_declined', message: 'Your card was declined.' }
const prices = { starter: 'price_s', professional: 'price_p', enterprise: 'price_e' }

/** A Stripe subscription in a trial without a card. */
export const unpaid = (practiceId: string): Record<string, unknown> => ({
  id: 'sub_1',
  object: 'subscription',
  status: 'trialing',
  created: start,
  cancel_at_period_end: false,
  trial_end: start + 30 * day,
  pending_setup_intent: { id: 'seti_1', client_secret: 'seti_1_secret_2' },
  default_payment_method: null,
  latest_invoice: { id: 'in_0', confirmation_secret: null },
  items: {
    data: [{ id: 'si_1', price: { id: 'price_p' }, current_period_start: start, current_period_end: start + 30 * day }],
  },
  metadata: { practiceId },
})

/** A changed reply. `isIgnored`: the request is not carried out. */
type Fault = Partial<StripeResponse> & { isIgnored?: true }

/** An application that uses a fake Stripe server with one subscription, on a new database or an existing one. */
export async function createStripeFixture(database: { databaseUrl?: string } = {}) {
  /**
   * The state of the fake: the stored `subscription`; `refuse`, the reply to every request; `declinesPayments` for
   * immediate payments; `firstReply`, returned again for a repeated request; `fault`, what becomes of the reply to a request; and `changes`, the number of changes that were carried out.
   */
  const at = {
    subscription: {} as Record<string, unknown>,
    refuse: null as { status: number; body: object } | null,
    declinesPayments: false,
    firstReply: null as object | null,
    fault: (_call: StripeCall): Fault => ({}),
    changes: 0,
  }
  /** The replies by idempotency key, which Stripe sends again, also those to failures of its own. */
  const replies = new Map<string, StripeResponse>()
  let messages = 0
  const stripe = await startStripeServer(answerOnce)
  const settings = { secretKey: 'sk_test_1', publishableKey: 'pk_test_1', prices, apiBase: stripe.url }
  const app = await startTestApp({ ...database, sandbox: 'off', stripe: settings })

  function answerOnce(call: StripeCall): StripeResponse {
    const key = call.headers['idempotency-key'] as string | undefined
    const first = key === undefined ? undefined : replies.get(key)
    const { isIgnored, ...fault } = at.fault(call)
    if (first) return { ...first, headers: { 'Idempotent-Replayed': 'true' }, ...fault }
    const reply = isIgnored ? { body: {} } : structuredClone(answer(call))
    if (call.method === 'POST' && !isIgnored && !('status' in reply)) at.changes++
    const sent = { ...reply, ...fault }
    if (key !== undefined) replies.set(key, { ...sent, isLost: false })
    return sent
  }

  function answer({ method, path, form }: StripeCall): StripeResponse {
    if (at.refuse) return at.refuse
    if (path.includes('sub_sandbox_'))
      return { status: 404, body: { error: { type: 'invalid_request_error', code: 'resource_missing' } } }
    if (path === '/v1/customers' || path === '/v1/customers/cus_1') return { body: { id: 'cus_1', object: 'customer' } }
    if (path === '/v1/subscriptions') {
      const [practiceId, checkoutId, plan] = ['practiceId', 'checkoutId', 'plan'].map(
        (name) => form[`metadata[${name}]`],
      )
      const metadata = { practiceId, checkoutId, plan }
      at.subscription = { ...at.subscription, metadata }
      if (at.firstReply) return { body: { ...at.firstReply, metadata }, headers: { 'Idempotent-Replayed': 'true' } }
    }
    if (path === '/v1/billing_portal/sessions') return { body: { id: 'bps_1', url: 'https://billing.stripe.test/p/1' } }
    if (path.startsWith('/v1/invoices'))
      return {
        body: { object: 'list', data: [{ id: 'in_1', invoice_pdf: 'https://stripe.test/in_1.pdf' }], has_more: false },
      }
    if (method === 'DELETE') return { body: { ...at.subscription, status: 'canceled' } }
    if (at.declinesPayments && form['payment_behavior'] === 'error_if_incomplete')
      return { status: 402, body: { error: declined } }
    if (path === '/v1/subscriptions/sub_1' && method === 'POST') change(form)
    return { body: at.subscription }
  }

  function change(form: Record<string, string>): void {
    const { subscription } = at
    const price = form['items[0][price]']
    const [item] = (subscription['items'] as { data: object[] }).data
    if (price) subscription['items'] = { data: [{ ...item, price: { id: price } }] }
    if (form['cancel_at_period_end']) subscription['cancel_at_period_end'] = form['cancel_at_period_end'] === 'true'
    if (form['cancel_at'] !== undefined)
      subscription['cancel_at'] = form['cancel_at'] ? Number(form['cancel_at']) : null
    const metadata: Record<string, unknown> = { ...(subscription['metadata'] as object) }
    for (const field of ['plan', 'keeps', 'keeps_until']) {
      const value = form[`metadata[${field}]`]
      if (value) metadata[field] = value
      else if (value === '') delete metadata[field]
    }
    subscription['metadata'] = metadata
  }

  return {
    app,
    stripe,
    at,
    /** Registers the owner of a practice that Stripe does not know yet. */
    async newOwner() {
      const owner = await newOwner(app)
      stripe.calls.length = 0
      Object.assign(at, {
        subscription: unpaid(owner.practice.id),
        refuse: null,
        declinesPayments: false,
        firstReply: null,
        fault: () => ({}),
        changes: 0,
      })
      stripe.setTime(new Date(start * 1_000))
      return owner
    },
    /** Sends a webhook created at a second of Stripe's clock. */
    async sendWebhook(type: string, object: object, created: number) {
      expect((await this.trySendWebhook(type, object, created)).status).toBe(200)
    },
    /** Returns the reply to a webhook. */
    async trySendWebhook(type: string, object: object, created: number) {
      const payload = JSON.stringify({
        id: `evt_stripe_${++messages}`,
        object: 'event',
        type,
        created,
        data: { object },
      })
      const signature = signMessage(payload, webhookSecret, new Date())
      const headers = { 'content-type': 'application/json', 'stripe-signature': signature }
      return await app.newClient().sendRaw('POST', '/api/stripe/webhook', payload, headers)
    },
    requests: (path: string, method = 'POST') =>
      stripe.calls.filter((call) => call.path === path && call.method === method),
    async dispose() {
      await app.dispose()
      await stripe.close()
    },
  }
}
