import { toNestErrors } from '@hookform/resolvers'
import type { Resolver } from 'react-hook-form'
import type { RequestInput } from '#contracts/endpoint.ts'
import { confirmSandboxPayment } from '#contracts/billing-sandbox.ts'
import { parseExpiry } from './card-format.ts'

/** A card as it stands in the form. */
export type CardValues = { cardNumber: string; expiry: string; cvc: string }
type PaymentBody = RequestInput<typeof confirmSandboxPayment>['body']

/** Where the form says what the server calls by another name. */
export const toCardField = (path: string): keyof CardValues =>
  path === 'expMonth' || path === 'expYear' ? 'expiry' : path === 'cvc' ? 'cvc' : 'cardNumber'

/** What is sent for a card; an incomplete date is sent as one that cannot be. */
export function toPaymentBody(
  { cardNumber, expiry, cvc }: CardValues,
  clientSecret: string,
  confirmed: boolean,
): PaymentBody {
  return { clientSecret, cardNumber, ...(parseExpiry(expiry) ?? { expMonth: 0, expYear: 2000 }), cvc, confirmed }
}

/** What is wrong with a card, by the field it was typed in and in the words of the contract. A date of the past too. */
export function validateCard(values: CardValues, now = new Date()): Partial<Record<keyof CardValues, string>> {
  const checked = confirmSandboxPayment.body.safeParse(toPaymentBody(values, 'secret', false))
  const faults: Partial<Record<keyof CardValues, string>> = {}
  for (const { path, message } of checked.error?.issues ?? []) faults[toCardField(String(path[0]))] ??= message
  const date = parseExpiry(values.expiry)
  if (!date) faults.expiry = "Your card's expiration date is incomplete."
  else if (faults.expiry === undefined && isExpired(date, now))
    faults.expiry = "Your card's expiration date is in the past."
  return faults
}

/** A card is valid to the end of its month. */
const isExpired = ({ expMonth, expYear }: { expMonth: number; expYear: number }, now: Date) =>
  expYear * 12 + expMonth < now.getFullYear() * 12 + now.getMonth() + 1

/** The same for the form. */
export const cardResolver: Resolver<CardValues> = (values, _, options) => {
  const faults = Object.entries(validateCard(values))
  if (faults.length === 0) return { values, errors: {} }
  const errors = Object.fromEntries(faults.map(([field, message]) => [field, { type: 'card', message }]))
  return { values: {}, errors: toNestErrors<CardValues>(errors, options) }
}
