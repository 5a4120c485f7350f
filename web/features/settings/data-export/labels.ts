import type { DataExport, DataExportState } from '#contracts/data-exports.ts'
import type { FormatInstant } from '#web/entities/practices/practice-time.ts'
import { formatCount } from '#web/ui/format.ts'
import type { ApiProblem } from '#web/api/call.ts'
import type { Status } from '#web/ui/status-badge.tsx'

type Badge = { status: Status; label: string }

const badges: Record<DataExportState, Badge> = {
  requested: { status: 'pending', label: 'Requested' },
  writing: { status: 'in-progress', label: 'Being written' },
  ready: { status: 'completed', label: 'Ready' },
  failed: { status: 'failed', label: 'Failed' },
  expired: { status: 'expired', label: 'Expired' },
}

/** Returns the badge of an export. */
export const getBadge = ({ state, isReplaced }: Pick<DataExport, 'state' | 'isReplaced'>): Badge =>
  isReplaced ? { status: 'expired', label: 'Replaced' } : badges[state]

/** Returns whether an export is on its way. */
export const isRunning = ({ state }: Pick<DataExport, 'state'>): boolean => state === 'requested' || state === 'writing'

/** Formats a size: "840 bytes", "12 kB", "1.4 MB", "2.1 GB". */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return formatCount(bytes, 'byte')
  // From here on, kilobytes would be rounded to 1000.
  if (bytes < 999_500) return `${Math.round(bytes / 1_000)} kB`
  if (bytes < 999_950_000) return `${(bytes / 1_000_000).toFixed(1)} MB`
  return `${(bytes / 1_000_000_000).toFixed(1)} GB`
}

/** Describes who requested an export. */
export const describeRequest = ({ requestedAt, requestedBy }: DataExport, formatInstant: FormatInstant): string =>
  `${formatInstant(requestedAt)}${requestedBy === null ? '' : `, by ${requestedBy}`}`

/** Describes the file of an export, or why there is none. */
export function describeState(dataExport: DataExport, formatInstant: FormatInstant): string {
  const { state, failure, isReplaced, counts, bytes, expiresAt } = dataExport
  if (state === 'requested') return 'Starts in a moment.'
  if (state === 'writing') return 'You can leave this page; the export goes on.'
  if (failure === 'too-large')
    return 'Your data is larger than 4 GB, which is more than one export can hold. Contact support.'
  if (state === 'failed') return 'The export could not be written. Nothing was lost; try again.'
  if (counts === null || bytes === null || expiresAt === null) return ''
  const { patients, appointments, waitlistEntries, providers, members } = counts
  const records = patients + appointments + waitlistEntries + providers + members
  const size = `${formatBytes(bytes)}, ${formatCount(records, 'record')}`
  if (state === 'ready') return `${size}. Available until ${formatInstant(expiresAt)}`
  return isReplaced ? `${size}. Replaced by a newer export` : `${size}. Expired ${formatInstant(expiresAt)}`
}

/** Describes the last download of an export; null before the first. */
export function describeDownload({ lastDownload }: DataExport, formatInstant: FormatInstant): string | null {
  if (lastDownload === null) return null
  const { at, by } = lastDownload
  return `Last downloaded ${formatInstant(at)}${by === null ? '' : `, by ${by}`}`
}

/** Explains why a file cannot be downloaded. The check has no text of the server. */
export function describeDownloadFailure({ status, detail, retryAfter }: ApiProblem): string {
  if (status === 0) return detail
  if (status === 401) return 'You were signed out. Sign in, then download the file again.'
  if (status === 403 || status === 404) return 'Only the owner and administrators can download it.'
  if (status === 409) return 'It can no longer be downloaded. Please request a new export.'
  if (status === 429)
    return `Too many downloads. Please try again in ${formatCount(Math.ceil((retryAfter ?? 60) / 60), 'minute')}.`
  return 'Everchart is not available right now. Please try again in a moment.'
}
