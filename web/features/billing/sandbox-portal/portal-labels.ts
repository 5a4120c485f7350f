import type { CardOnFile, SandboxBill } from '#contracts/billing-sandbox.ts'
import { getPlan } from '#contracts/values/plans.ts'
import type { Status } from '#web/ui/status-badge.tsx'
import { formatBillingDate } from '#web/entities/billing/subscription.ts'

const brandNames: Readonly<Record<CardOnFile['brand'], string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  other: 'Card',
}

/** Formats a stored card: "Visa ending in 4242". */
export const formatCard = ({ brand, lastFour }: CardOnFile): string => `${brandNames[brand]} ending in ${lastFour}`

/** Formats the expiry date of a card as printed on it: "08 / 29". */
export const formatCardExpiry = ({ expMonth, expYear }: CardOnFile): string =>
  `${String(expMonth).padStart(2, '0')} / ${String(expYear % 100).padStart(2, '0')}`

/** Badges by invoice status. A failed invoice is still open. */
export const invoiceBadges: Readonly<Record<SandboxBill['status'], { status: Status; label: string }>> = {
  paid: { status: 'completed', label: 'Paid' },
  failed: { status: 'failed', label: 'Payment failed' },
  void: { status: 'expired', label: 'Void' },
}

/** Describes what an invoice covers: plan and period. */
export const describeInvoice = ({ plan, periodStart, periodEnd }: SandboxBill): string =>
  `${getPlan(plan).name}, ${formatBillingDate(periodStart)} to ${formatBillingDate(periodEnd)}`
