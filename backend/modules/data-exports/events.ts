import { z } from 'zod'
import { DataExportId, PracticeId, UserId } from '#contracts/values/ids.ts'
import { event } from '#eventstore/event.ts'

const subject = { exportId: DataExportId, practiceId: PracticeId }
const Count = z.int().nonnegative()

/** A user requested an export of all data of the practice. */
export const DataExportRequested = event('DataExportRequested', { ...subject, requestedBy: UserId })

/** A job began to write the file. */
export const DataExportStarted = event('DataExportStarted', subject)

/** The file can be downloaded until `expiresAt`. It is stored encrypted and not part of the event. */
export const DataExportReady = event('DataExportReady', {
  ...subject,
  fileId: z.uuid(),
  bytes: Count,
  counts: z.strictObject({
    patients: Count,
    appointments: Count,
    waitlistEntries: Count,
    providers: Count,
    members: Count,
  }),
  expiresAt: z.iso.datetime(),
})

/** The file could not be written and is not retried automatically. */
export const DataExportFailed = event('DataExportFailed', {
  ...subject,
  reason: z.enum(['no-more-tries', 'too-large']),
})

/** A user retried a failed export. */
export const DataExportRetried = event('DataExportRetried', { ...subject, requestedBy: UserId })

/** A user downloaded the file. */
export const DataExportDownloaded = event('DataExportDownloaded', { ...subject, userId: UserId })

/** The file can no longer be downloaded: its time is over, or a newer export replaced it. */
export const DataExportExpired = event('DataExportExpired', { ...subject, reason: z.enum(['time', 'replaced']) })

export const DataExportEvent = z.discriminatedUnion('type', [
  DataExportRequested,
  DataExportStarted,
  DataExportReady,
  DataExportFailed,
  DataExportRetried,
  DataExportDownloaded,
  DataExportExpired,
])
export type DataExportEvent = z.infer<typeof DataExportEvent>
export type DataExportReady = z.infer<typeof DataExportReady>
export type DataExportFailed = z.infer<typeof DataExportFailed>
