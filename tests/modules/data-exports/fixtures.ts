import { DataExportId, PracticeId, UserId } from '#contracts/values/ids.ts'
import type { DataExportEvent } from '#modules/data-exports/events.ts'

const uuid = (kind: number, number: number) => `0000000${kind}-0000-4000-8000-00000000000${number}`

export const practiceId = PracticeId.parse(uuid(1, 1))
export const userId = UserId.parse(uuid(2, 1))
export const exportIds = [1, 2, 3].map((number) => DataExportId.parse(uuid(3, number)))
export const [firstId, secondId] = exportIds as [DataExportId, DataExportId]
export const fileIds = [1, 2].map((number) => uuid(4, number))
export const [fileId, otherFileId] = fileIds as [string, string]
export const counts = { patients: 2, appointments: 3, waitlistEntries: 1, providers: 1, members: 1 }
export const expiresAt = '2031-03-06T09:00:00.000Z'
export const before = '2031-03-06T08:59:59.999Z'

type Id = DataExportId

export const requested = (exportId: Id = firstId): DataExportEvent => ({
  type: 'DataExportRequested',
  data: { exportId, practiceId, requestedBy: userId },
})
export const started = (exportId: Id = firstId): DataExportEvent => ({
  type: 'DataExportStarted',
  data: { exportId, practiceId },
})
export const ready = (exportId: Id = firstId): DataExportEvent => ({
  type: 'DataExportReady',
  data: { exportId, practiceId, fileId, bytes: 1_000, counts, expiresAt },
})
export const failed = (
  exportId: Id = firstId,
  reason: 'no-more-tries' | 'too-large' = 'no-more-tries',
): DataExportEvent => ({
  type: 'DataExportFailed',
  data: { exportId, practiceId, reason },
})
export const retried = (exportId: Id = firstId): DataExportEvent => ({
  type: 'DataExportRetried',
  data: { exportId, practiceId, requestedBy: userId },
})
export const downloaded = (exportId: Id = firstId): DataExportEvent => ({
  type: 'DataExportDownloaded',
  data: { exportId, practiceId, userId },
})
export const expired = (reason: 'time' | 'replaced', exportId: Id = firstId): DataExportEvent => ({
  type: 'DataExportExpired',
  data: { exportId, practiceId, reason },
})
