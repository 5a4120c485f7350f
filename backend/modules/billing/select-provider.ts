import { ProblemError } from '#http/problems.ts'
import type { Services } from '#modules/module.ts'
import type { PaymentProvider } from './payment-provider.ts'
import { billingSettings } from './settings.ts'
import { stripeProvider } from './stripe/provider.ts'

/** Returns the payment provider of this installation; null when payments are disabled. */
export function findProvider(services: Services): PaymentProvider | null {
  const { stripe, createStandIn } = billingSettings.read(services)
  if (stripe) return stripeProvider(services, stripe)
  return createStandIn ? createStandIn(services) : null
}

/** Returns the payment provider. Throws 503 `payments-not-set-up` when there is none. */
export function requireProvider(services: Services): PaymentProvider {
  const provider = findProvider(services)
  if (!provider) throw new ProblemError(503, 'payments-not-set-up', 'Payments are not set up in this installation yet.')
  return provider
}
