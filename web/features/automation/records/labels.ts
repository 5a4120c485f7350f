import type { AuthorizationStatus } from '#contracts/values/prior-authorizations.ts'
import type { Status } from '#web/ui/status-badge.tsx'

type Labels<Name extends string = string> = Readonly<Record<Name, { label: string; badge: Status }>>

/** Display names of the statuses of prior authorizations. */
export const authorizationStatuses: Labels<AuthorizationStatus> = {
  draft: { label: 'Draft', badge: 'scheduled' },
  submitted: { label: 'Submitted', badge: 'sent' },
  approved: { label: 'Approved', badge: 'approved' },
  denied: { label: 'Denied', badge: 'denied' },
  appealed: { label: 'Appealed', badge: 'pending' },
  expired: { label: 'Expired', badge: 'expired' },
}

/** Display names of priorities and urgencies. */
export const priorityLabels: Readonly<Record<string, string>> = {
  routine: 'Routine',
  urgent: 'Urgent',
  emergency: 'Emergency',
}

/** Display names of the directions of calls and messages. */
export const directionLabels: Readonly<Record<string, string>> = { inbound: 'Incoming', outbound: 'Outgoing' }

/** Formats seconds as minutes and seconds, "3:05". */
export const formatDuration = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
