import { toNestErrors } from '@hookform/resolvers'
import type { Resolver } from 'react-hook-form'
import type { RequestInput } from '#contracts/endpoint.ts'
import { confirmSandboxPayment } from '#contracts/billing-sandbox.ts'
import { parseExpiry } from './card-format.ts'

/** Input of the card form. */
export type CardValues = { cardNumber: string; expiry: string; cvc: string }
type PaymentBody = RequestInput<typeof confirmSandboxPayment>['body']

/** Returns the form field for a field name of the API. */
export const toCardField = (path: string): keyof CardValues =>
  path === 'expMonth' || path === 'expYear' ? 'expiry' : path === 'cvc' ? 'cvc' : 'cardNumber'

/** Builds the payment request; an incomplete expiry date is sent as an invalid one (month 0). */
export function toPaymentBody(
  { cardNumber, expiry, cvc }: CardValues,
  clientSecret: string,
  confirmed: boolean,
): PaymentBody {
  return { clientSecret, cardNumber, ...(parseExpiry(expiry) ?? { expMonth: 0, expYear: 2000 }), cvc, confirmed }
}

/** Returns the validation errors of a card by form field, with the messages of the contract; also rejects past dates. */
export function validateCard(values: CardValues, now = new Date()): Partial<Record<keyof CardValues, string>> {
  const checked = confirmSandboxPayment.body.safeParse(toPaymentBody(values, 'secret', false))
  const messages: Partial<Record<keyof CardValues, string>> = {}
  for (const { path, message } of checked.error?.issues ?? []) messages[toCardField(String(path[0]))] ??= message
  const date = parseExpiry(values.expiry)
  if (!date) messages.expiry = "Your card's expiration date is incomplete."
  else if (messages.expiry === undefined && isExpired(date, now))
    messages.expiry = "Your card's expiration date is in the past."
  return messages
}

/** Returns whether a card has expired; it is valid until the end of its month. */
const isExpired = ({ expMonth, expYear }: { expMonth: number; expYear: number }, now: Date) =>
  expYear * 12 + expMonth < now.getFullYear() * 12 + now.getMonth() + 1

/** Resolver that validates a card in react-hook-form. */
export const cardResolver: Resolver<CardValues> = (values, _, options) => {
  const messages = Object.entries(validateCard(values))
  if (messages.length === 0) return { values, errors: {} }
  const errors = Object.fromEntries(messages.map(([field, message]) => [field, { type: 'card', message }]))
  return { values: {}, errors: toNestErrors<CardValues>(errors, options) }
}
