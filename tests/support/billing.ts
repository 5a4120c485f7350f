import type { Client } from './client.ts'
import { newOwner } from './practice.ts'
import { sendUntilAnswered } from './send-until-answered.ts'
import { waitUntil } from './wait-until.ts'

/** The payment form with a card that is accepted. */
export const cardDetails = { cardNumber: '4242 4242 4242 4242', expMonth: 12, expYear: 2040, cvc: '123' }

/** Chooses a plan and pays with a test card. Resolves when the provider's webhooks have arrived. */
export async function subscribe(client: Client, planType = 'professional', card: object = {}) {
  const { body } = await sendUntilAnswered(client, '/api/create-subscription', { planType })
  const clientSecret = body.clientSecret as string
  const paid = await sendUntilAnswered(client, '/api/billing-sandbox/confirm', {
    clientSecret,
    ...cardDetails,
    ...card,
  })
  if (paid.status !== 200) throw new Error(`confirm: ${paid.status} ${JSON.stringify(paid.body)}`)
  await waitForSubscriptionStatus(client, 'trialing', 'active')
  return clientSecret
}

/** Sets up a practice with a plan, because a demo practice holds 500 patients. */
export async function newSubscriber(app: { newClient(): Client }, planType = 'enterprise') {
  const owner = await newOwner(app)
  await subscribe(owner.client, planType)
  // Limits are read from the read model.
  await waitForUserSubscription(owner.client, 'trial')
  return owner
}

/** Waits until the subscription is in one of these states, and returns it. */
export const waitForSubscriptionStatus = async (client: Client, ...states: string[]) =>
  (
    await waitUntil(
      () => client.get('/api/subscription/status'),
      ({ body }) => states.includes(body.status),
    )
  ).body

/** Waits until the signed-in user's subscription is in this state, and returns the user. */
export const waitForUserSubscription = async (client: Client, state: string) =>
  (
    await waitUntil(
      () => client.get('/api/user'),
      ({ body }) => body.subscriptionStatus === state,
    )
  ).body
