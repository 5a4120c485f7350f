import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Cents } from './values/money.ts'
import { PlanId } from './values/plans.ts'

const access = { permission: 'settings' } as const

/** Moves the practice's test clock forward and does what is due. Owner only; 404 when the sandbox is off. */
export const advanceSandbox = endpoint({
  method: 'POST',
  path: '/api/billing-sandbox/advance',
  access: 'member',
  body: z.strictObject({ days: z.number().int('Whole days only').min(1).max(400) }),
  /** The time of the test clock; an instant in UTC. */
  reply: z.object({ now: z.iso.datetime() }),
})

const removeSeparators = (text: string) => text.replaceAll(/[\s-]/g, '')

/** Checks the check digit of a card number. */
function passesLuhn(number: string): boolean {
  const sum = [...number].toReversed().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2)
    return total + (value > 9 ? value - 9 : value)
  }, 0)
  return sum % 10 === 0
}

const CardNumber = z
  .string({ error: 'Your card number is incomplete.' })
  .max(40, 'Your card number is invalid.')
  .transform(removeSeparators)
  .refine((number) => /^\d{12,19}$/.test(number), 'Your card number is incomplete.')
  .refine(passesLuhn, 'Your card number is invalid.')

/** Pays with a test card, or replaces the card of a subscription. `confirmed`: the payment was confirmed with the bank. */
export const confirmSandboxPayment = endpoint({
  method: 'POST',
  path: '/api/billing-sandbox/confirm',
  access,
  isPayment: true,
  body: z.strictObject({
    clientSecret: z.string().min(1).max(255),
    cardNumber: CardNumber,
    expMonth: z
      .number()
      .int()
      .min(1, "Your card's expiration month is invalid.")
      .max(12, "Your card's expiration month is invalid."),
    expYear: z
      .number()
      .int()
      .min(2000, "Your card's expiration year is invalid.")
      .max(2099, "Your card's expiration year is invalid."),
    cvc: z.string().regex(/^\d{3,4}$/, "Your card's security code is incomplete."),
    confirmed: z.boolean().default(false),
  }),
  reply: z.object({ status: z.enum(['succeeded', 'requires_action']) }),
})

/** Returns a sandbox invoice as a PDF file. */
export const sandboxInvoice = endpoint({
  method: 'GET',
  path: '/api/billing-sandbox/invoices/:invoiceId',
  access,
  params: z.strictObject({ invoiceId: z.string().min(1).max(255) }),
  reply: z.instanceof(Uint8Array),
  contentType: 'application/pdf',
})

/** The stored part of a card: enough to recognize it, not enough to pay with it. */
const CardOnFile = z.object({
  brand: z.enum(['visa', 'mastercard', 'amex', 'discover', 'other']),
  lastFour: z.string(),
  expMonth: z.number().int(),
  expYear: z.number().int(),
})
export type CardOnFile = z.infer<typeof CardOnFile>

/** An invoice of the sandbox. `failed`: the card was declined and the amount is still due. Instants in UTC. */
const SandboxBill = z.object({
  invoiceId: z.string(),
  number: z.number().int().positive(),
  status: z.enum(['paid', 'failed', 'void']),
  plan: PlanId,
  amount: Cents,
  periodStart: z.iso.datetime(),
  periodEnd: z.iso.datetime(),
})
export type SandboxBill = z.infer<typeof SandboxBill>

/**
 * Returns the contents of the sandbox's page that replaces the provider's: the card, the invoices, newest first, and the
 * secret with which the card is replaced. `now` is the time of the test clock. 404 when the sandbox is off or there is no
 * subscription.
 */
export const sandboxPortal = endpoint({
  method: 'GET',
  path: '/api/billing-sandbox/portal',
  access,
  isPayment: true,
  reply: z.object({
    now: z.iso.datetime(),
    clientSecret: z.string(),
    card: CardOnFile.nullable(),
    invoices: z.array(SandboxBill),
  }),
})
export type SandboxPortal = z.infer<typeof sandboxPortal.reply>
