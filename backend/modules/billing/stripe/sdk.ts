import { createRequire } from 'node:module'
import type { Stripe } from 'stripe'

let sdk: typeof Stripe | undefined

/** Returns Stripe's SDK, which is loaded at its first use: its 220 files would prolong the start of every installation. */
export const getStripeSdk = (): typeof Stripe => (sdk ??= createRequire(import.meta.url)('stripe') as typeof Stripe)
