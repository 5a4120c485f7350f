import type { StoredCard } from '#modules/billing/sandbox/events.ts'

/** The test cards (the same as Stripe's) and what each does. Any other number that could be one pays. */
const behaviours: Readonly<Record<string, StoredCard['behaviour'] | 'declined' | 'insufficient'>> = {
  '4242424242424242': 'pays',
  '4000000000000002': 'declined',
  '4000000000009995': 'insufficient',
  '4000000000000341': 'fails-later',
  '4000002500003155': 'asks-first',
}

const brands: readonly (readonly [RegExp, StoredCard['brand']])[] = [
  [/^4/, 'visa'],
  [/^(5[1-5]|2[2-7])/, 'mastercard'],
  [/^3[47]/, 'amex'],
  [/^6(011|5)/, 'discover'],
]

/** What the sandbox does with a card, and all that it keeps of it: brand, last four digits, and until when it is valid. */
export function resolveCard(
  number: string,
  expMonth: number,
  expYear: number,
): StoredCard | 'declined' | 'insufficient' {
  const behaviour = behaviours[number] ?? 'pays'
  if (behaviour === 'declined' || behaviour === 'insufficient') return behaviour
  const brand = brands.find(([begins]) => begins.test(number))?.[1] ?? 'other'
  return { brand, lastFour: number.slice(-4), expMonth, expYear, behaviour }
}

/** Whether a card is not valid any more at an instant: it is valid to the end of its month. */
export const isExpired = (expMonth: number, expYear: number, now: string): boolean =>
  `${expYear}-${String(expMonth).padStart(2, '0')}` < now.slice(0, 7)
