import { toNestErrors } from '@hookform/resolvers'
import type { Resolver } from 'react-hook-form'
import type { RequestInput } from '#contracts/endpoint.ts'
import { confirmSandboxPayment } from '#contracts/billing-sandbox.ts'
import { expiryOf } from './card-text.ts'

/** A card as it stands in the form. */
export type CardValues = { cardNumber: string; expiry: string; cvc: string }
type Payment = RequestInput<typeof confirmSandboxPayment>['body']

/** Where the form says what the server calls by another name. */
export const fieldOf = (path: string): keyof CardValues =>
  path === 'expMonth' || path === 'expYear' ? 'expiry' : path === 'cvc' ? 'cvc' : 'cardNumber'

/** What is sent for a card; an incomplete date is sent as one that cannot be. */
export function paymentOf({ cardNumber, expiry, cvc }: CardValues, clientSecret: string, confirmed: boolean): Payment {
  return { clientSecret, cardNumber, ...(expiryOf(expiry) ?? { expMonth: 0, expYear: 2000 }), cvc, confirmed }
}

/** What is wrong with a card, by the field it was typed in and in the words of the contract. A date of the past too. */
export function faultsOf(values: CardValues, now = new Date()): Partial<Record<keyof CardValues, string>> {
  const checked = confirmSandboxPayment.body.safeParse(paymentOf(values, 'secret', false))
  const faults: Partial<Record<keyof CardValues, string>> = {}
  for (const { path, message } of checked.error?.issues ?? []) faults[fieldOf(String(path[0]))] ??= message
  const date = expiryOf(values.expiry)
  if (!date) faults.expiry = "Your card's expiration date is incomplete."
  else if (faults.expiry === undefined && isPast(date, now))
    faults.expiry = "Your card's expiration date is in the past."
  return faults
}

/** A card is valid to the end of its month. */
const isPast = ({ expMonth, expYear }: { expMonth: number; expYear: number }, now: Date) =>
  expYear * 12 + expMonth < now.getFullYear() * 12 + now.getMonth() + 1

/** The same for the form. */
export const cardResolver: Resolver<CardValues> = (values, _, options) => {
  const faults = Object.entries(faultsOf(values))
  if (faults.length === 0) return { values, errors: {} }
  const errors = Object.fromEntries(faults.map(([field, message]) => [field, { type: 'card', message }]))
  return { values: {}, errors: toNestErrors<CardValues>(errors, options) }
}
