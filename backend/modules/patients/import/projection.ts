import { defineProjection } from '#projections/projection.ts'
import type { ImportEvent } from './events.ts'

type RowNote = { row: number; reasons: string[] }

/** The reasons are missing when the import's data key was destroyed. */
const noted = ({ row, reasons }: { row: number; reasons: string[] | null }): RowNote => ({
  row,
  reasons: reasons ?? [],
})

/** The row of an import. */
export type ImportRow = {
  import_id: string
  practice_id: string
  state: 'queued' | 'running' | 'done' | 'undoing' | 'undone' | 'failed'
  /** The operation that failed. */
  failed_while: 'running' | 'undoing' | null
  total: number
  done: number
  created: number
  skipped: number
  skipped_rows: RowNote[]
  failed: number
  failed_rows: RowNote[]
  removed: number
  kept: number
  started_at: string
  finished_at: string | null
}

/** One row per import. `finished_at` is the time of its last patient; an undo does not change it. */
export const patientImports = defineProjection<ImportEvent, ImportRow>({
  name: 'patient_imports',
  version: 2,
  key: 'import_id',
  columns: {
    import_id: 'uuid',
    practice_id: 'uuid',
    state: 'text',
    failed_while: 'text',
    total: 'int4',
    done: 'int4',
    created: 'int4',
    skipped: 'int4',
    skipped_rows: 'jsonb',
    failed: 'int4',
    failed_rows: 'jsonb',
    removed: 'int4',
    kept: 'int4',
    started_at: 'timestamptz',
    finished_at: 'timestamptz',
  },
  indexes: ['(practice_id, started_at desc)'],
  rowOf: (event) => event.data.importId,
  on: {
    ImportRequested: (_row, { data, metadata }) => ({
      import_id: data.importId,
      practice_id: data.practiceId,
      state: 'queued',
      failed_while: null,
      total: data.total,
      done: 0,
      created: 0,
      skipped: 0,
      skipped_rows: [],
      failed: 0,
      failed_rows: [],
      removed: 0,
      kept: 0,
      started_at: metadata.at,
      finished_at: null,
    }),
    ImportProgressed: (row, { data: { done, created, skipped, failed } }) =>
      row && {
        ...row,
        state: 'running',
        done,
        created: row.created + created.reduce((rows, { from, to }) => rows + to - from + 1, 0),
        skipped: row.skipped + skipped.length,
        skipped_rows: [...row.skipped_rows, ...skipped.map(noted)],
        failed: row.failed + failed.length,
        failed_rows: [...row.failed_rows, ...failed.map(noted)],
      },
    ImportFinished: (row, { metadata }) => row && { ...row, state: 'done', finished_at: metadata.at },
    ImportUndoRequested: (row) => row && { ...row, state: 'undoing', failed_while: null },
    ImportGivenUp: (row) =>
      row && { ...row, state: 'failed', failed_while: row.state === 'undoing' ? 'undoing' : 'running' },
    ImportResumed: (row) => row && { ...row, state: row.failed_while ?? 'running', failed_while: null },
    ImportUndone: (row, { data: { removed, kept } }) => row && { ...row, state: 'undone', removed, kept },
  },
})
