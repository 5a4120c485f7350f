import type { DataExportFailure, DataExportState } from '#contracts/data-exports.ts'
import type { DataExportId, PracticeId, UserId } from '#contracts/values/ids.ts'
import { type Decider, reject } from '#eventstore/decider.ts'
import { DataExportEvent, type DataExportFailed, type DataExportReady } from './events.ts'

type Subject = { exportId: DataExportId; practiceId: PracticeId }

/** The commands for the exports of a practice. `now` is an ISO instant in UTC. */
export type DataExportCommand = Subject &
  (
    | { type: 'Request' | 'Retry'; requestedBy: UserId }
    | { type: 'Start' }
    | ({ type: 'Complete' } & Pick<DataExportReady['data'], 'fileId' | 'bytes' | 'counts' | 'expiresAt'>)
    | { type: 'Fail'; reason: DataExportFailed['data']['reason'] }
    | { type: 'RecordDownload'; userId: UserId; fileId: string | null; now: string }
    | { type: 'Expire'; now: string }
  )

/** One export. `file` is what can be downloaded while it is ready. */
export type KnownExport = {
  exportId: DataExportId
  state: DataExportState
  file: Pick<DataExportReady['data'], 'fileId' | 'bytes' | 'expiresAt'> | null
  /** Null unless it failed. */
  failure: DataExportFailure | null
}

/** The exports of a practice in the order of their requests. */
export type DataExportsState = readonly KnownExport[]

export type DataExportRejection =
  | 'unknown-export'
  | 'export-running'
  | 'export-not-failed'
  | 'export-too-large'
  | 'export-not-ready'
  | 'export-expired'

/** The rules for the exports of a practice: at most one is written at a time, and at most one can be downloaded. */
export const dataExportsDecider: Decider<DataExportCommand, DataExportEvent, DataExportsState, DataExportRejection> = {
  category: 'data-exports',
  events: DataExportEvent,
  initial: [],
  decide,
  evolve,
}

/** Returns an export by its id. */
export const findExport = (state: DataExportsState, exportId: string): KnownExport | undefined =>
  state.find((known) => known.exportId === exportId)

const isRunning = ({ state }: KnownExport) => state === 'requested' || state === 'writing'

const running = () => reject('export-running', 'An export is being written already. Please wait until it is ready.')

type Decision = readonly DataExportEvent[] | ReturnType<typeof reject<DataExportRejection>>

function decide(command: DataExportCommand, exports: DataExportsState): Decision {
  const { exportId, practiceId } = command
  const subject = { exportId, practiceId }
  const known = findExport(exports, exportId)
  const isAnotherRunning = exports.some((other) => other.exportId !== exportId && isRunning(other))
  if (command.type === 'Request') {
    const { requestedBy } = command
    if (known) return []
    return isAnotherRunning ? running() : [{ type: 'DataExportRequested', data: { ...subject, requestedBy } }]
  }
  if (!known) return reject('unknown-export', 'There is no such export.')
  const { state, file, failure } = known
  switch (command.type) {
    case 'Start':
      if (state !== 'requested' && state !== 'failed') return []
      return isAnotherRunning ? running() : [{ type: 'DataExportStarted', data: subject }]
    case 'Complete': {
      if (state !== 'writing') return []
      const { fileId, bytes, counts, expiresAt } = command
      const replaced = exports.filter((other) => other.state === 'ready')
      return [
        ...replaced.map((other): DataExportEvent => ({
          type: 'DataExportExpired',
          data: { exportId: other.exportId, practiceId, reason: 'replaced' },
        })),
        { type: 'DataExportReady', data: { ...subject, fileId, bytes, counts, expiresAt } },
      ]
    }
    case 'Fail':
      return isRunning(known) ? [{ type: 'DataExportFailed', data: { ...subject, reason: command.reason } }] : []
    case 'Retry':
      if (isRunning(known)) return []
      if (state !== 'failed') return reject('export-not-failed', 'This export has not failed.')
      if (failure === 'too-large')
        return reject('export-too-large', 'All data of the practice is more than one archive can hold.')
      if (isAnotherRunning) return running()
      return [{ type: 'DataExportRetried', data: { ...subject, requestedBy: command.requestedBy } }]
    case 'RecordDownload':
      if (state === 'expired' || (file && command.now >= file.expiresAt))
        return reject('export-expired', 'This export has expired. Please request a new one.')
      if (state !== 'ready' || file?.fileId !== command.fileId)
        return reject('export-not-ready', 'This export is not ready yet.')
      return [{ type: 'DataExportDownloaded', data: { ...subject, userId: command.userId } }]
    case 'Expire':
      if (state !== 'ready' || !file || command.now < file.expiresAt) return []
      return [{ type: 'DataExportExpired', data: { ...subject, reason: 'time' } }]
  }
}

function evolve(exports: DataExportsState, event: DataExportEvent): DataExportsState {
  const { exportId } = event.data
  const change = (changes: Partial<KnownExport>) =>
    exports.map((known) => (known.exportId === exportId ? { ...known, ...changes } : known))
  switch (event.type) {
    case 'DataExportRequested':
      return [...exports, { exportId, state: 'requested', file: null, failure: null }]
    case 'DataExportStarted':
      return change({ state: 'writing', failure: null })
    case 'DataExportReady': {
      const { fileId, bytes, expiresAt } = event.data
      return change({ state: 'ready', file: { fileId, bytes, expiresAt } })
    }
    case 'DataExportFailed':
      return change({ state: 'failed', failure: event.data.reason })
    case 'DataExportRetried':
      return change({ state: 'requested', failure: null })
    case 'DataExportExpired':
      return change({ state: 'expired', file: null })
    case 'DataExportDownloaded':
      return exports
  }
}
