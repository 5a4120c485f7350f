import { ProblemError } from '#http/problems.ts'
import type { Services } from '#modules/module.ts'
import type { PaymentProvider } from './payment-provider.ts'
import { sandboxProvider } from '#stand-ins/billing-sandbox/provider.ts'
import { stripeProvider } from './stripe.ts'

/** Who takes the money in this installation; null where nobody does. */
export function findProvider(services: Services): PaymentProvider | null {
  const { stripe, sandbox } = services.billing
  if (stripe) return stripeProvider(services, stripe)
  return sandbox === 'off' ? null : sandboxProvider(services)
}

/** The same where one is needed. Throws 503 `payments-not-set-up`. */
export function requireProvider(services: Services): PaymentProvider {
  const provider = findProvider(services)
  if (!provider) throw new ProblemError(503, 'payments-not-set-up', 'Payments are not set up in this installation yet.')
  return provider
}
