import { z } from 'zod'
import type { StripeSettings } from '#modules/billing/settings.ts'
import { StartError } from '#runtime/start-error.ts'
import { isHttpUrl, parseUrl, text, defineVariable } from './config-variable.ts'

const priceVariable = (plan: string) =>
  defineVariable({
    defaultValue: '',
    description: `The id of Stripe's monthly price for the plan ${plan}.`,
    requirement: 'the id of a price, such as price_1Abc',
    schema: text.regex(/^price_\w+$/).optional(),
  })

/** The environment variables for billing. */
export const billingVariables = {
  STRIPE_WEBHOOK_SECRET: defineVariable({
    defaultValue: 'generated',
    description: 'Signs the webhooks of the payment provider; at least 16 characters, the same on every instance.',
    requirement: 'at least 16 characters long',
    secret: true,
    schema: text.min(16).optional(),
  }),
  STRIPE_SECRET_KEY: defineVariable({
    defaultValue: '',
    description:
      'Enables payments through Stripe; the publishable key, the prices and the webhook secret must then be set too.',
    requirement: 'a secret or restricted key of Stripe, such as sk_live_…',
    secret: true,
    schema: text.regex(/^[sr]k_\w+$/).optional(),
  }),
  STRIPE_PUBLISHABLE_KEY: defineVariable({
    defaultValue: '',
    description: 'Identifies the payment form in the browser to Stripe.',
    requirement: 'a publishable key of Stripe, such as pk_live_…',
    schema: text.regex(/^pk_\w+$/).optional(),
  }),
  STRIPE_PRICE_STARTER: priceVariable('Starter'),
  STRIPE_PRICE_PROFESSIONAL: priceVariable('Professional'),
  STRIPE_PRICE_ENTERPRISE: priceVariable('Enterprise'),
  STRIPE_API_BASE: defineVariable({
    defaultValue: '',
    description: "Alternative address of Stripe's API, for tests and proxies.",
    requirement: 'an address such as https://stripe-proxy.example:8443, without a path',
    schema: text
      .refine((value) => isHttpUrl(parseUrl(value) ?? new URL('none:x')) && new URL(value).pathname === '/')
      .optional(),
  }),
  BILLING_SANDBOX: defineVariable({
    defaultValue: '',
    description:
      'Without Stripe, payments use test cards and no money moves; in production only with "allow". With "chaos", webhooks arrive twice and late.',
    requirement: 'allow or chaos',
    schema: z.enum(['allow', 'chaos']).optional(),
  }),
}

type Variables = typeof billingVariables
type Values = { [Name in keyof Variables]: z.output<Variables[Name]['schema']> }

/** The billing sandbox: `on` accepts test cards, `chaos` also sends every webhook twice and late, `off` is not loaded. */
export type SandboxMode = 'on' | 'chaos' | 'off'

/** Returns the settings of Stripe, or null if none is set. Throws StartError that names the missing ones. */
export function parseStripeSettings(values: Values): StripeSettings | null {
  const { STRIPE_SECRET_KEY: secretKey } = values
  if (secretKey === undefined) return null
  const requireValue = <Name extends keyof Values>(name: Name): NonNullable<Values[Name]> => {
    const value = values[name]
    if (value === undefined) throw new StartError(`${name} must be set too when STRIPE_SECRET_KEY is.`)
    return value as NonNullable<Values[Name]>
  }
  requireValue('STRIPE_WEBHOOK_SECRET')
  return {
    secretKey,
    publishableKey: requireValue('STRIPE_PUBLISHABLE_KEY'),
    prices: {
      starter: requireValue('STRIPE_PRICE_STARTER'),
      professional: requireValue('STRIPE_PRICE_PROFESSIONAL'),
      enterprise: requireValue('STRIPE_PRICE_ENTERPRISE'),
    },
    apiBase: values.STRIPE_API_BASE ?? null,
  }
}

/** Returns the sandbox mode. In production the sandbox must be enabled explicitly, because no money moves, and is never in chaos. */
export function resolveSandboxMode(requested: Values['BILLING_SANDBOX'], production: boolean): SandboxMode {
  if (production) return requested === 'allow' ? 'on' : 'off'
  return requested === 'chaos' ? 'chaos' : 'on'
}
