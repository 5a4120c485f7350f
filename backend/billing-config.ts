import { z } from 'zod'
import { StartError } from '#runtime/start-error.ts'
import { isHttp, parsed, text, variable } from './config-variable.ts'

const priceOf = (plan: string) =>
  variable({
    fallback: '',
    about: `The id of Stripe's monthly price for the plan ${plan}.`,
    must: 'the id of a price, such as price_1Abc',
    schema: text.regex(/^price_\w+$/).optional(),
  })

/** Who takes the money, as the environment says it. */
export const billingVariables = {
  STRIPE_WEBHOOK_SECRET: variable({
    fallback: 'generated',
    about: 'Signs the webhooks of the payment provider; at least 16 characters, the same on every instance.',
    must: 'at least 16 characters long',
    secret: true,
    schema: text.min(16).optional(),
  }),
  STRIPE_SECRET_KEY: variable({
    fallback: '',
    about:
      'Enables payments through Stripe; the publishable key, the prices and the webhook secret must then be set too.',
    must: 'a secret or restricted key of Stripe, such as sk_live_…',
    secret: true,
    schema: text.regex(/^[sr]k_\w+$/).optional(),
  }),
  STRIPE_PUBLISHABLE_KEY: variable({
    fallback: '',
    about: 'Identifies the payment form in the browser to Stripe.',
    must: 'a publishable key of Stripe, such as pk_live_…',
    schema: text.regex(/^pk_\w+$/).optional(),
  }),
  STRIPE_PRICE_STARTER: priceOf('Starter'),
  STRIPE_PRICE_PROFESSIONAL: priceOf('Professional'),
  STRIPE_PRICE_ENTERPRISE: priceOf('Enterprise'),
  STRIPE_API_BASE: variable({
    fallback: '',
    about: "Alternative address of Stripe's API, for tests and proxies.",
    must: 'an address such as https://stripe-proxy.example:8443, without a path',
    schema: text
      .refine((value) => isHttp(parsed(value) ?? new URL('none:x')) && new URL(value).pathname === '/')
      .optional(),
  }),
  BILLING_SANDBOX: variable({
    fallback: '',
    about:
      'Without Stripe, payments use test cards and no money moves; in production only with "allow". With "chaos", webhooks arrive twice and late.',
    must: 'allow or chaos',
    schema: z.enum(['allow', 'chaos']).optional(),
  }),
}

type Variables = typeof billingVariables
type Values = { [Name in keyof Variables]: z.output<Variables[Name]['schema']> }

/** Everything that Stripe needs. */
export type StripeKeys = {
  secretKey: string
  publishableKey: string
  prices: { starter: string; professional: string; enterprise: string }
  apiBase: string | null
}

/** Whether test cards are taken, and in chaos their messages twice and late; `off`: nobody can pay so. */
export type SandboxMode = 'on' | 'chaos' | 'off'

/** All that Stripe needs, or nothing. Throws StartError that names what is missing. */
export function stripeOf(values: Values): StripeKeys | null {
  const { STRIPE_SECRET_KEY: secretKey } = values
  if (secretKey === undefined) return null
  const needed = <Name extends keyof Values>(name: Name): NonNullable<Values[Name]> => {
    const value = values[name]
    if (value === undefined) throw new StartError(`${name} must be set too when STRIPE_SECRET_KEY is.`)
    return value as NonNullable<Values[Name]>
  }
  needed('STRIPE_WEBHOOK_SECRET')
  return {
    secretKey,
    publishableKey: needed('STRIPE_PUBLISHABLE_KEY'),
    prices: {
      starter: needed('STRIPE_PRICE_STARTER'),
      professional: needed('STRIPE_PRICE_PROFESSIONAL'),
      enterprise: needed('STRIPE_PRICE_ENTERPRISE'),
    },
    apiBase: values.STRIPE_API_BASE ?? null,
  }
}

/** Nobody should believe that they paid: in production the sandbox has to be asked for, and is never in chaos. */
export function sandboxOf(wanted: Values['BILLING_SANDBOX'], production: boolean): SandboxMode {
  if (production) return wanted === 'allow' ? 'on' : 'off'
  return wanted === 'chaos' ? 'chaos' : 'on'
}
