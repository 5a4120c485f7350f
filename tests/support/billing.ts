import type { Client } from './client.ts'
import { waitUntil } from './until.ts'

/** What somebody types on the payment step, with a card that pays. */
export const cardDetails = { cardNumber: '4242 4242 4242 4242', expMonth: 12, expYear: 2040, cvc: '123' }

/** Chooses a plan and pays with a test card; answers when the provider's messages have arrived. */
export async function subscribe(client: Client, planType = 'professional', card: object = {}) {
  const { body } = await client.post('/api/create-subscription', { planType })
  const clientSecret = body.clientSecret as string
  const paid = await client.post('/api/billing-sandbox/confirm', { clientSecret, ...cardDetails, ...card })
  if (paid.status !== 200) throw new Error(`confirm: ${paid.status} ${JSON.stringify(paid.body)}`)
  await waitForSubscriptionStatus(client, 'trialing', 'active')
  return clientSecret
}

/** What the practice pays for, once it has come to one of these states. */
export const waitForSubscriptionStatus = async (client: Client, ...wanted: string[]) =>
  (
    await waitUntil(
      () => client.get('/api/subscription/status'),
      ({ body }) => wanted.includes(body.status),
    )
  ).body

/** Who is signed in, once their subscription is seen in this state. */
export const waitForUserSubscription = async (client: Client, wanted: string) =>
  (
    await waitUntil(
      () => client.get('/api/user'),
      ({ body }) => body.subscriptionStatus === wanted,
    )
  ).body
