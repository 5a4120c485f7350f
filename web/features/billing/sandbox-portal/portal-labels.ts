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

/** What is kept of a card, as people recognise it: "Visa ending in 4242". */
export const formatCard = ({ brand, lastFour }: CardOnFile): string => `${brandNames[brand]} ending in ${lastFour}`

/** Until when it is valid, as it is printed on it: "08 / 29". */
export const formatCardExpiry = ({ expMonth, expYear }: CardOnFile): string =>
  `${String(expMonth).padStart(2, '0')} / ${String(expYear % 100).padStart(2, '0')}`

/** The badge of a bill. One that failed is still to be paid. */
export const invoiceBadges: Readonly<Record<SandboxBill['status'], { status: Status; label: string }>> = {
  paid: { status: 'completed', label: 'Paid' },
  failed: { status: 'failed', label: 'Payment failed' },
  void: { status: 'expired', label: 'Void' },
}

/** What a bill is for. */
export const describeInvoice = ({ plan, periodStart, periodEnd }: SandboxBill): string =>
  `${getPlan(plan).name}, ${formatBillingDate(periodStart)} to ${formatBillingDate(periodEnd)}`
