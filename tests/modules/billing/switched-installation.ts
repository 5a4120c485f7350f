import { randomUUID } from 'node:crypto'
import { endSandboxSubscriptions } from '#modules/billing/jobs.ts'
import { subscribe, waitForUserSubscription } from '#tests/support/billing.ts'
import { newOwner, password } from '#tests/support/practice.ts'
import { startTestApp } from '#tests/support/test-app.ts'
import { createTestDatabase } from '#tests/support/test-database.ts'
import { createStripeFixture } from './stripe-fixture.ts'

/**
 * Starts an installation with the sandbox and one practice with the Professional plan and a patient, and starts it again with
 * Stripe. `end` runs the job that ends the subscriptions of the sandbox.
 */
export async function switchToStripe() {
  const database = await createTestDatabase()
  const before = await startTestApp({ databaseUrl: database.url })
  const { client: earlier, practice, registration } = await newOwner(before, { selectedPlan: 'professional' })
  await subscribe(earlier)
  await waitForUserSubscription(earlier, 'trial')
  const patient = await earlier.post('/api/patients', { firstName: 'Grace', lastName: 'Hopper' })
  // The clock of the sandbox is far ahead of the real one.
  await earlier.post('/api/billing-sandbox/advance', { days: 400 })
  await waitForUserSubscription(earlier, 'active')
  await before.stopInstance()

  const fixture = await createStripeFixture({ databaseUrl: database.url })
  const client = fixture.app.newClient()
  await client.post('/api/login', { email: registration.email, password })
  return {
    fixture,
    client,
    registration,
    practice,
    patientId: patient.body.id as string,
    end: () =>
      endSandboxSubscriptions.run(
        fixture.app.services,
        {},
        { id: randomUUID(), signal: new AbortController().signal, attempt: 1 },
      ),
    async dispose() {
      await fixture.dispose()
      await database.drop()
    },
  }
}
