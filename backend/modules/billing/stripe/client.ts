import type { Stripe } from 'stripe'
import { vendorTestTimeoutMs } from '#database/vendor-log.ts'
import type { Services } from '#modules/module.ts'
import type { StripeSettings } from '../settings.ts'
import { getStripeSdk } from './sdk.ts'

const clients = new WeakMap<StripeSettings, Stripe>()

/** The version of Stripe's API for which this file is written; the package's own default changes with its updates. */
const apiVersion = '2026-10-28.endive' as const

/** Returns the one client of the process, which pools its connections. */
export function getStripeClient(settings: StripeSettings): Stripe {
  const { secretKey, apiBase } = settings
  const options = { apiVersion, maxNetworkRetries: 2, timeout: 10_000, telemetry: false, ...parseApiBase(apiBase) }
  const client = clients.get(settings) ?? new (getStripeSdk())(secretKey, options)
  clients.set(settings, client)
  return client
}

function parseApiBase(apiBase: string | null): Stripe.StripeConfig {
  if (apiBase === null) return {}
  const { protocol, hostname, port } = new URL(apiBase)
  const isPlain = protocol === 'http:'
  return { protocol: isPlain ? 'http' : 'https', host: hostname, port: port || (isPlain ? 80 : 443) }
}

/** Returns the code of an error that shows that Stripe does not work; null when it has decided about one request. */
export function findFailure(error: unknown): string | null {
  const { StripeError, StripeCardError, StripeInvalidRequestError, StripeIdempotencyError } = getStripeSdk().errors
  if (!(error instanceof StripeError)) return 'failed'
  const isDecision =
    error instanceof StripeCardError ||
    error instanceof StripeInvalidRequestError ||
    error instanceof StripeIdempotencyError
  return isDecision ? null : error.statusCode === undefined ? 'no-reply' : `http-${error.statusCode}`
}

/**
 * Asks Stripe for the price of a plan, with the key and the connection that payments use. Changes nothing. Returns the code of
 * the error; null when Stripe knows the price.
 */
export async function testStripe(settings: StripeSettings, vendors: Services['vendors']): Promise<string | null> {
  const options = { timeout: vendorTestTimeoutMs, maxNetworkRetries: 0 }
  const error = await getStripeClient(settings)
    .prices.retrieve(settings.prices.starter, {}, options)
    .then(
      () => null,
      // Here a price that Stripe does not know is an error, too.
      (failure: unknown) => findFailure(failure) ?? 'price-not-found',
    )
  await vendors.record('payments', error)
  return error
}
