import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { DataExportId } from './values/ids.ts'

/** Hours for which the file of an export can be downloaded. */
export const dataExportHours = 24

/** The owner and administrators export the data of their practice. */
const access = { permission: 'settings' } as const

/** Downloads of a practice within an hour. */
export const maxDownloadsPerHour = 30

/** The state of an export. `failed` can be retried, unless it is too large; `expired` cannot. */
export const DataExportState = z.enum(['requested', 'writing', 'ready', 'failed', 'expired'])
export type DataExportState = z.infer<typeof DataExportState>

/** The reason why an export failed: it was tried often enough, or holds more than an archive can. */
export const DataExportFailure = z.enum(['no-more-tries', 'too-large'])
export type DataExportFailure = z.infer<typeof DataExportFailure>

/** The number of records in an export, by kind. */
export const DataExportCounts = z.object({
  patients: z.number(),
  appointments: z.number(),
  waitlistEntries: z.number(),
  providers: z.number(),
  members: z.number(),
})
export type DataExportCounts = z.infer<typeof DataExportCounts>

/** An export of all data of a practice. Instants are ISO texts in UTC. */
export const DataExport = z.object({
  id: DataExportId,
  state: DataExportState,
  /** The name of the user who requested it; null when the user is no longer known. */
  requestedBy: z.string().nullable(),
  requestedAt: z.string(),
  /** The instant from which its file can no longer be downloaded; null until it is ready. */
  expiresAt: z.string().nullable(),
  /** The size of its file; null until it is ready. */
  bytes: z.number().nullable(),
  counts: DataExportCounts.nullable(),
  /** Null unless it failed. */
  failure: DataExportFailure.nullable(),
  /** True when a newer export replaced it. */
  isReplaced: z.boolean(),
  /** The last download of its file. */
  lastDownload: z.object({ at: z.string(), by: z.string().nullable() }).nullable(),
})
export type DataExport = z.infer<typeof DataExport>

/** Lists the last five exports of the practice, newest first. */
export const listDataExports = endpoint({
  method: 'GET',
  path: '/api/data-exports',
  access,
  reply: z.array(DataExport),
})

/**
 * Requests an export, which is written in the background. 409 `export-running` while another one of the practice is written;
 * 429 `too-many-attempts` after ten requests an hour, refused ones not counted. When it is ready, it replaces the one before.
 */
export const requestDataExport = endpoint({
  method: 'POST',
  path: '/api/data-exports',
  access,
  reply: z.object({ exportId: DataExportId }),
  status: 201,
})

/**
 * Retries a failed export. 409 `export-not-failed` for one that has not failed, 409 `export-too-large` for one that would fail
 * again, 409 `export-running` while another one is written.
 */
export const retryDataExport = endpoint({
  method: 'POST',
  path: '/api/data-exports/:exportId/retry',
  access,
  params: z.object({ exportId: DataExportId }),
  reply: z.object({ exportId: DataExportId }),
})

/**
 * Sends the file of an export: a ZIP archive of CSV and FHIR R4 NDJSON files. The download is on the record before the first
 * byte. 409 `export-not-ready` before it is written, 409 `export-expired` 24 hours after, or when a newer one replaced it, 429
 * `too-many-attempts` after thirty downloads an hour. HEAD checks all of this, and is neither recorded nor counted.
 */
export const downloadDataExport = endpoint({
  method: 'GET',
  path: '/api/data-exports/:exportId/file',
  access,
  params: z.object({ exportId: DataExportId }),
  /** A stream of bytes. */
  reply: z.custom<AsyncIterable<Uint8Array>>((value) => typeof value === 'object' && value !== null),
  contentType: 'application/zip',
})
