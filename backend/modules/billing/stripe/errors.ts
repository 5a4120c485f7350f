import { OutcomeUnknown } from '#eventstore/request-scope.ts'
import { ProblemError } from '#http/problems.ts'
import { PaymentRefused } from '../payment-provider.ts'
import { findFailure } from './client.ts'
import { getStripeSdk } from './sdk.ts'

/** Returns null for the error that Stripe does not know a record. Throws all others. */
export const nullIfMissing = (error: unknown): null => {
  if (error instanceof getStripeSdk().errors.StripeError && error.code === 'resource_missing') return null
  throw error
}

type MapErrors = <Reply>(call: Promise<Reply>) => Promise<Reply>

/** Creates the mapping of Stripe's errors. `onOutcome` is called with null for a reply, or with the code of a failure. */
export function createErrorMapping(onOutcome: (error: string | null) => void) {
  async function observe<Reply>(call: Promise<Reply>): Promise<Reply> {
    try {
      const reply = await call
      onOutcome(null)
      return reply
    } catch (error) {
      onOutcome(findFailure(error))
      throw error
    }
  }

  /** Maps the errors of a call that changes something: without Stripe's reply, or after a failure of Stripe, it may have happened. */
  const mapChangeErrors: MapErrors = (call) => mapErrors(observe(call).catch(toOutcomeUnknown))
  const mapStripeErrors: MapErrors = (call) => mapErrors(observe(call))
  return { mapChangeErrors, mapStripeErrors }
}

function toOutcomeUnknown(error: unknown): never {
  const { StripeAPIError, StripeConnectionError } = getStripeSdk().errors
  if (!(error instanceof StripeConnectionError || error instanceof StripeAPIError)) throw error
  throw new OutcomeUnknown(
    'The payment service did not confirm this, so it may have happened. Check your plan before you try again: nothing is charged twice.',
    { cause: error },
  )
}

/** Maps Stripe's errors to problems for users. Only the bank's message is passed on, never Stripe's own. */
const mapErrors: MapErrors = async (call) =>
  await call.catch((error: unknown) => {
    if (error instanceof getStripeSdk().errors.StripeCardError) throw new PaymentRefused(error.message)
    if (error instanceof getStripeSdk().errors.StripeError)
      throw new ProblemError(
        503,
        'payments-unavailable',
        'The payment service is not responding right now. Please try again in a moment.',
      )
    throw error
  })
