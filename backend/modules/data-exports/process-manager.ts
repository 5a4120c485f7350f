import { addMinutes } from 'date-fns/addMinutes'
import { defineProcessManager, type JobRequest, toCause } from '#process-managers/process-manager.ts'
import type { Recorded } from '#eventstore/event.ts'
import type { DataExportEvent } from './events.ts'

/** The names of the jobs; see jobs.ts. */
export const jobNames = {
  write: 'write-data-export',
  expire: 'expire-data-export',
  deleteFile: 'delete-data-export-file',
  deleteOldFiles: 'delete-old-data-export-files',
} as const

/** Minutes for which a download may go on that began before its export expired. */
const maxDownloadMinutes = 30

const toData = (event: Recorded<DataExportEvent>) => {
  const { exportId, practiceId } = event.data
  return { exportId, practiceId, cause: toCause(event) }
}
const requestFile = (event: Recorded<DataExportEvent>): readonly JobRequest[] => [
  { job: jobNames.write, data: toData(event) },
]

/** Requests the jobs that write the file of an export, expire it and delete it. */
export const followDataExports = defineProcessManager<DataExportEvent>({
  name: 'follow-data-exports',
  on: {
    DataExportRequested: requestFile,
    DataExportRetried: requestFile,
    DataExportReady: (event) => [{ job: jobNames.expire, data: toData(event), startAfter: event.data.expiresAt }],
    DataExportExpired: ({ data: { exportId }, metadata }) => [
      {
        job: jobNames.deleteFile,
        data: { exportId },
        startAfter: addMinutes(metadata.at, maxDownloadMinutes).toISOString(),
      },
    ],
  },
})
