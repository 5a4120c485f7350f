import { type Decider, reject } from '#eventstore/decider.ts'
import { ImportEvent, type ImportProgressed, type ImportRequested } from './events.ts'

/**
 * The commands for an import. The progress `done` counts rows from the start, so that a repeated command is recognized.
 */
export type ImportCommand =
  | ({ type: 'Request'; leftOutColumns?: readonly string[] } & ImportRequested['data'])
  | ({ type: 'Progress' } & Omit<ImportProgressed['data'], 'importId'>)
  | { type: 'Finish' }
  | { type: 'GiveUp'; reason: 'file-gone' | 'no-more-tries' }
  | { type: 'Resume' }
  | { type: 'RequestUndo' }
  | { type: 'FinishUndo'; removed: number; kept: number }

type Asked = Required<
  Pick<
    ImportRequested['data'],
    'importId' | 'practiceId' | 'columns' | 'dateFormat' | 'includeDuplicates' | 'restorePostalCodes' | 'addedRows'
  >
>
type RowRun = ImportProgressed['data']['created'][number]

/** The state of an import. `created` are the rows that became patients, as runs of consecutive rows. */
export type ImportState =
  | { state: 'none' }
  | ({
      state: 'running' | 'done' | 'undoing' | 'undone' | 'failed'
      /** The operation that failed. */
      failedWhile?: 'running' | 'undoing'
      total: number
      done: number
      created: readonly RowRun[]
    } & Asked)

export type ImportRejection = 'unknown-import' | 'import-running' | 'import-progress'

type Decision = readonly ImportEvent[] | ReturnType<typeof reject<ImportRejection>>

/** The rules for an import: requested, run row by row, finished, optionally undone. */
export const importDecider: Decider<ImportCommand, ImportEvent, ImportState, ImportRejection> = {
  category: 'import',
  events: ImportEvent,
  initial: { state: 'none' },
  decide,
  evolve,
}

function decide(command: ImportCommand, state: ImportState): Decision {
  if (command.type === 'Request') {
    const { type: _, leftOutColumns = [], ...data } = command
    if (state.state !== 'none') return []
    const headings = [...leftOutColumns]
    const leftOut = { type: 'ImportColumnsLeftOut', data: { importId: data.importId, headings } } as const
    return [{ type: 'ImportRequested', data }, ...(headings.length > 0 ? [leftOut] : [])]
  }
  if (state.state === 'none') return reject('unknown-import', 'There is no such import.')
  const { importId } = state
  switch (command.type) {
    case 'Progress': {
      const { done, created, skipped, failed } = command
      if (state.state !== 'running' || done <= state.done) return []
      const rows = rowsIn(created) + skipped.length + failed.length
      if (done > state.total || done - state.done !== rows)
        return reject('import-progress', 'These rows do not continue the recorded progress.')
      return [{ type: 'ImportProgressed', data: { importId, done, created, skipped, failed } }]
    }
    case 'Finish':
      if (state.state !== 'running') return []
      if (state.done < state.total) return reject('import-progress', 'There are rows left.')
      return [{ type: 'ImportFinished', data: { importId } }]
    case 'RequestUndo':
      if (state.state === 'running')
        return reject('import-running', 'The import is still running. It can be undone when it has finished.')
      return state.state === 'done' || state.state === 'failed'
        ? [{ type: 'ImportUndoRequested', data: { importId } }]
        : []
    case 'GiveUp': {
      const { reason } = command
      const isInProgress = state.state === 'running' || state.state === 'undoing'
      return isInProgress ? [{ type: 'ImportGivenUp', data: { importId, reason } }] : []
    }
    case 'Resume':
      return state.state === 'failed' ? [{ type: 'ImportResumed', data: { importId } }] : []
    case 'FinishUndo': {
      const { removed, kept } = command
      return state.state === 'undoing' ? [{ type: 'ImportUndone', data: { importId, removed, kept } }] : []
    }
  }
}

function evolve(state: ImportState, { type, data }: ImportEvent): ImportState {
  if (type === 'ImportRequested') {
    const { restorePostalCodes = false, addedRows = [] } = data
    return { ...data, restorePostalCodes, addedRows, state: 'running', done: 0, created: [] }
  }
  if (state.state === 'none') return state
  switch (type) {
    case 'ImportColumnsLeftOut':
      return state
    case 'ImportProgressed':
      return { ...state, done: data.done, created: joinRuns(state.created, data.created) }
    case 'ImportFinished':
      return { ...state, state: 'done' }
    case 'ImportUndoRequested':
      return { ...state, state: 'undoing' }
    case 'ImportGivenUp':
      return { ...state, state: 'failed', failedWhile: state.state === 'undoing' ? 'undoing' : 'running' }
    case 'ImportResumed':
      return { ...state, state: state.failedWhile ?? 'running' }
    case 'ImportUndone':
      return { ...state, state: 'undone' }
  }
}

const rowsIn = (runs: readonly RowRun[]) => runs.reduce((rows, { from, to }) => rows + to - from + 1, 0)

/** Merges runs of consecutive rows across batches: a clean file of 50,000 rows is one run, not two hundred. */
function joinRuns(before: readonly RowRun[], after: readonly RowRun[]): readonly RowRun[] {
  const last = before.at(-1)
  const [first, ...rest] = after
  if (!last || !first || first.from !== last.to + 1) return [...before, ...after]
  return [...before.slice(0, -1), { from: last.from, to: first.to }, ...rest]
}
