import type { DataExportCounts, DataExportFailure, DataExportState } from '#contracts/data-exports.ts'
import { defineProjection } from '#projections/projection.ts'
import type { DataExportEvent } from './events.ts'

type DataExportRow = {
  id: string
  practice_id: string
  state: DataExportState
  requested_by: string
  requested_at: string
  expires_at: string | null
  bytes: number | null
  counts: DataExportCounts | null
  failure: DataExportFailure | null
  is_replaced: boolean
  downloaded_by: string | null
  downloaded_at: string | null
}

/** The exports of all practices, one row each. */
export const dataExportsProjection = defineProjection<DataExportEvent, DataExportRow>({
  name: 'data_exports',
  version: 2,
  columns: {
    id: 'uuid',
    practice_id: 'uuid',
    state: 'text',
    requested_by: 'uuid',
    requested_at: 'timestamptz',
    expires_at: 'timestamptz',
    bytes: 'int8',
    counts: 'jsonb',
    failure: 'text',
    is_replaced: 'bool',
    downloaded_by: 'uuid',
    downloaded_at: 'timestamptz',
  },
  key: 'id',
  indexes: ['(practice_id, requested_at)'],
  rowOf: ({ data }) => data.exportId,
  on: {
    DataExportRequested: (_, { data: { exportId, practiceId, requestedBy }, metadata }) => ({
      id: exportId,
      practice_id: practiceId,
      state: 'requested',
      requested_by: requestedBy,
      requested_at: metadata.at,
      expires_at: null,
      bytes: null,
      counts: null,
      failure: null,
      is_replaced: false,
      downloaded_by: null,
      downloaded_at: null,
    }),
    DataExportStarted: (row) => row && { ...row, state: 'writing', failure: null },
    DataExportReady: (row, { data: { bytes, counts, expiresAt } }) =>
      row && { ...row, state: 'ready', bytes, counts, expires_at: expiresAt },
    DataExportFailed: (row, { data }) => row && { ...row, state: 'failed', failure: data.reason },
    DataExportRetried: (row) => row && { ...row, state: 'requested', failure: null },
    DataExportDownloaded: (row, { data, metadata }) =>
      row && { ...row, downloaded_by: data.userId, downloaded_at: metadata.at },
    DataExportExpired: (row, { data }) => row && { ...row, state: 'expired', is_replaced: data.reason === 'replaced' },
  },
})
