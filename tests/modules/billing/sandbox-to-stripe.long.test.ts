import { afterAll, beforeAll, expect, it } from 'vitest'
import { waitForUserSubscription } from '#tests/support/billing.ts'
import { readStream } from '#tests/support/events.ts'
import { unpaid } from './stripe-fixture.ts'
import { switchToStripe } from './switched-installation.ts'

let switched: Awaited<ReturnType<typeof switchToStripe>>
beforeAll(async () => {
  switched = await switchToStripe()
})
afterAll(() => switched?.dispose())

it('ends subscriptions of the sandbox when an installation switches to Stripe, and keeps data and limit', async () => {
  const { client, fixture, practice, patientId, end } = switched
  await end()
  const user = await waitForUserSubscription(client, 'demo')
  expect(user).toMatchObject({ isDemoUser: true, hasLapsed: true, hasOpenInvoice: false, pastDueUntil: null })
  expect((await client.get('/api/subscription/status')).body).toMatchObject({
    status: 'canceled',
    isEndedSandbox: true,
    plan: { id: 'professional' },
    patients: 1,
  })
  expect((await client.get(`/api/patients/${patientId}`)).status).toBe(200)
  const csv = 'First Name,Last Name,DOB\nNew,Person,1980-01-01\n'
  expect((await client.post('/api/patients/import/preview', { csv })).body).toMatchObject({ remainingPatients: 1_999 })
  expect(await client.get('/api/billing/invoice/latest')).toMatchObject({
    status: 404,
    problem: { code: 'no-invoice' },
  })

  const stream = `subscription-${practice.id}`
  const written = await readStream(fixture.app.services.store, stream)
  expect(written.at(-1)).toMatchObject({ type: 'SandboxSubscriptionEnded' })
  await end()
  expect(await readStream(fixture.app.services.store, stream)).toHaveLength(written.length)
})

it('lets the practice buy a plan afterwards', async () => {
  const { client, fixture, practice } = switched
  fixture.at.subscription = unpaid(practice.id)
  const chosen = await client.post('/api/create-subscription', { planType: 'professional' })
  expect(chosen).toMatchObject({ status: 200, body: { publishableKey: 'pk_test_1' } })
  expect(fixture.requests('/v1/subscriptions')).toHaveLength(1)
})
