import type { StoredCard } from '#modules/billing/sandbox/events.ts'

/** The behavior of each test card; the numbers are Stripe's. Every other valid number pays. */
const behaviours: Readonly<Record<string, StoredCard['behaviour'] | 'declined' | 'insufficient'>> = {
  '4242424242424242': 'succeeds',
  '4000000000000002': 'declined',
  '4000000000009995': 'insufficient',
  '4000000000000341': 'fails-later',
  '4000002500003155': 'requires-confirmation',
}

const brands: readonly (readonly [RegExp, StoredCard['brand']])[] = [
  [/^4/, 'visa'],
  [/^(5[1-5]|2[2-7])/, 'mastercard'],
  [/^3[47]/, 'amex'],
  [/^6(011|5)/, 'discover'],
]

/** Returns the stored part of a card, or how it is declined. Only brand, last four digits and expiry are stored. */
export function resolveCard(
  number: string,
  expMonth: number,
  expYear: number,
): StoredCard | 'declined' | 'insufficient' {
  const behaviour = behaviours[number] ?? 'succeeds'
  if (behaviour === 'declined' || behaviour === 'insufficient') return behaviour
  const brand = brands.find(([prefix]) => prefix.test(number))?.[1] ?? 'other'
  return { brand, lastFour: number.slice(-4), expMonth, expYear, behaviour }
}

/** Returns whether a card has expired at an instant; it is valid until the end of its month. */
export const isExpired = (expMonth: number, expYear: number, now: string): boolean =>
  `${expYear}-${String(expMonth).padStart(2, '0')}` < now.slice(0, 7)
