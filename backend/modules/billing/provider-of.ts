import { ProblemError } from '#http/problems.ts'
import type { Services } from '#modules/module.ts'
import type { PaymentProvider } from './payment-provider.ts'
import { sandboxProvider } from './sandbox/provider.ts'

/** Who takes the money in this installation. Throws 503 `payments-not-set-up` where nobody does. */
export function providerOf(services: Services): PaymentProvider {
  if (services.billing.sandbox === 'off')
    throw new ProblemError(503, 'payments-not-set-up', 'Payments are not set up in this installation yet.')
  return sandboxProvider(services)
}
