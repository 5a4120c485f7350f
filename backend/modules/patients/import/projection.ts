import { defineProjection } from '#projections/projection.ts'
import type { ImportEvent } from './events.ts'

type RowNote = { row: number; reasons: string[] }

/** The reasons are missing when the import's data key was destroyed. */
const toNote = ({ row, reasons }: { row: number; reasons: string[] | null }): RowNote => ({
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
  failed: number
  removed: number
  kept: number
  started_at: string
  finished_at: string | null
}

/** One row per import, with numbers only. `finished_at` is the time of its last patient; an undo does not change it. */
export const patientImports = defineProjection<ImportEvent, ImportRow>({
  name: 'patient_imports',
  version: 3,
  isPreviousInClear: true,
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
    failed: 'int4',
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
      failed: 0,
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
        failed: row.failed + failed.length,
      },
    ImportColumnsLeftOut: 'ignore',
    ImportFinished: (row, { metadata }) => row && { ...row, state: 'done', finished_at: metadata.at },
    ImportUndoRequested: (row) => row && { ...row, state: 'undoing', failed_while: null },
    ImportGivenUp: (row) =>
      row && { ...row, state: 'failed', failed_while: row.state === 'undoing' ? 'undoing' : 'running' },
    ImportResumed: (row) => row && { ...row, state: row.failed_while ?? 'running', failed_while: null },
    ImportUndone: (row, { data: { removed, kept } }) => row && { ...row, state: 'undone', removed, kept },
  },
})

/** The rows of a file that created no patient, as one progress event reports them. `done` is their order. */
export type ImportNotesRow = {
  id: string
  import_id: string
  done: number
  /** The number of skipped and failed rows, in clear. */
  rows: number
  skipped_rows: RowNote[] | null
  failed_rows: RowNote[] | null
  /** The headings of the columns that are not imported, in a row of their own. */
  left_out_columns: string[] | null
}

/**
 * One row per progress of an import with skipped or failed rows, and one with its columns that are not imported. All may contain values of the
 * file, so they are encrypted with the data key of the import.
 */
export const patientImportNotes = defineProjection<ImportEvent, ImportNotesRow>({
  name: 'patient_import_notes',
  version: 2,
  key: 'id',
  columns: {
    id: 'text',
    import_id: 'uuid',
    done: 'int4',
    rows: 'int4',
    skipped_rows: 'jsonb',
    failed_rows: 'jsonb',
    left_out_columns: 'jsonb',
  },
  sealed: { subject: 'import_id', columns: ['skipped_rows', 'failed_rows', 'left_out_columns'] },
  indexes: ['(import_id, done)'],
  rowOf: ({ type, data }) =>
    type === 'ImportProgressed'
      ? `${data.importId}:${data.done}`
      : type === 'ImportColumnsLeftOut'
        ? `${data.importId}:columns`
        : null,
  on: {
    ImportProgressed: (_row, { data: { importId, done, skipped, failed } }, id) => {
      const count = skipped.length + failed.length
      if (count === 0) return null
      const notes = (rows: readonly RowNote[]) => (rows.length === 0 ? null : rows.map(toNote))
      return {
        id,
        import_id: importId,
        done,
        rows: count,
        skipped_rows: notes(skipped),
        failed_rows: notes(failed),
        left_out_columns: null,
      }
    },
    ImportColumnsLeftOut: (_row, { data: { importId, headings } }, id) => ({
      id,
      import_id: importId,
      done: 0,
      rows: 0,
      skipped_rows: null,
      failed_rows: null,
      left_out_columns: headings,
    }),
    ImportRequested: 'ignore',
    ImportFinished: 'ignore',
    ImportUndoRequested: 'ignore',
    ImportGivenUp: 'ignore',
    ImportResumed: 'ignore',
    ImportUndone: 'ignore',
  },
})
