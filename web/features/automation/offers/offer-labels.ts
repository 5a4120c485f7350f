import type { SlotOffer } from '#contracts/confirmations.ts'
import type { SlotOfferReason, SlotOfferStatus } from '#contracts/values/confirmations.ts'
import type { FormatInstant } from '#web/entities/practices/practice-time.ts'
import type { Status } from '#web/ui/status-badge.tsx'

/** The badge of each status; an offer that ended without an answer says so with its reason. */
export const offerBadges: Record<SlotOfferStatus, { status: Status; label?: string }> = {
  pending: { status: 'pending' },
  sent: { status: 'sent' },
  accepted: { status: 'confirmed', label: 'Accepted' },
  declined: { status: 'declined' },
  failed: { status: 'failed' },
  withdrawn: { status: 'ended' },
}

const reasonLabels: Record<SlotOfferReason, string> = {
  'no-address': 'The patient has no number or address',
  refused: 'The number or address was refused',
  'outcome-unknown': 'It is not known whether it was delivered',
  unavailable: 'The service could not be reached',
  expired: 'No answer in time',
  taken: 'Booked by the practice first',
  'not-waiting': 'The patient does not wait any more',
  'no-plan': 'The practice has no plan',
  off: 'Switched off in the settings',
}

/** Returns the two lines that say what became of an offer; the second is null without a detail. */
export function describeOutcome(
  { status, dueAt, expiresAt, endedAt, reason }: SlotOffer,
  formatInstant: FormatInstant,
): { top: string; bottom: string | null } {
  if (status === 'pending') return { top: `Due ${formatInstant(dueAt)}`, bottom: null }
  if (status === 'sent') return { top: 'Waiting for the answer', bottom: `until ${formatInstant(expiresAt)}` }
  const at = endedAt && formatInstant(endedAt)
  if (status === 'accepted') return { top: 'Booked', bottom: at }
  return { top: reason === null ? 'Declined' : reasonLabels[reason], bottom: at }
}
