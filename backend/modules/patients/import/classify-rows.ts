import type { PreviewRow } from '#contracts/patient-import.ts'
import type { PatientFields } from '#contracts/patients.ts'
import { readCsv } from './csv.ts'
import {
  createRowHistory,
  type ExistingKeys,
  type Likeness,
  matchExisting,
  type DuplicateKeys,
  createDuplicateKeys,
} from './duplicates.ts'
import { type Reading, type ReadRow, readRow } from './parse-row.ts'

/** A row and its outcome. `patientFields` is null only for an invalid row. */
export type ClassifiedRow = PreviewRow & { patientFields: PatientFields | null }

type Options = Reading & {
  includeDuplicates: boolean
  /** The rows that may be known patients, and are others: the user said so. */
  addedRows: ReadonlySet<number>
  /**
   * The number of rows (with content, without the heading) that are already processed; they only count as earlier rows.
   */
  after: number
  /** The number of rows per chunk. */
  chunk: number
  /** Finds which of these keys the practice's patients have; called once per chunk. */
  findExisting: (keys: readonly DuplicateKeys[]) => Promise<ExistingKeys>
}

/** Classifies the rows of a file in chunks, holding only one chunk and the duplicate keys of all rows in memory. */
export async function* classifyRows(csv: string, options: Options): AsyncGenerator<ClassifiedRow[]> {
  const { after, chunk, includeDuplicates, addedRows, findExisting } = options
  const earlier = createRowHistory()
  let rowCount = -1
  let pending: { read: ReadRow; duplicateKeys: DuplicateKeys | null; earlier: Likeness[] }[] = []

  async function classify(): Promise<ClassifiedRow[]> {
    const rows = pending
    pending = []
    const keys = rows.flatMap(({ duplicateKeys }) => duplicateKeys ?? [])
    const known = includeDuplicates || keys.length === 0 ? null : await findExisting(keys)
    return rows.map(({ read: { row, patient, reasons, shown }, duplicateKeys, earlier: found }): ClassifiedRow => {
      const base = { row, patient: shown, patientFields: patient }
      if (!duplicateKeys) return { ...base, status: 'invalid', reasons }
      const matches = known ? [...matchExisting(duplicateKeys, known), ...found] : []
      const duplicates = matches.filter(({ kind }) => kind === 'duplicate')
      const questions = addedRows.has(row) ? [] : matches.filter(({ kind }) => kind === 'question')
      const [status, shownMatches] =
        duplicates.length > 0
          ? (['duplicate', duplicates] as const)
          : questions.length > 0
            ? (['question', questions] as const)
            : (['new', []] as const)
      return { ...base, status, reasons: shownMatches.map(({ reason }) => reason) }
    })
  }

  for await (const cells of readCsv(csv)) {
    // The first row is the heading.
    if (++rowCount === 0) continue
    const read = readRow(cells, options)
    const duplicateKeys = read.patient && createDuplicateKeys(read.patient)
    const found = duplicateKeys ? earlier.matchEarlier(read.row, duplicateKeys) : []
    if (rowCount <= after) continue
    if (pending.push({ read, duplicateKeys, earlier: found }) === chunk) yield await classify()
  }
  if (pending.length > 0) yield await classify()
}
