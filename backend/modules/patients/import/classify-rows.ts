import type { PreviewRow } from '#contracts/patient-import.ts'
import type { PatientFields } from '#contracts/patients.ts'
import { readCsv } from './csv.ts'
import { earlierRows, type ExistingKeys, matchExisting, type DuplicateKeys, duplicateKeysOf } from './duplicates.ts'
import { type Reading, type ReadRow, readRow } from './parse-row.ts'

/** A row and what becomes of it. `patient` is there unless the row is invalid. */
export type ClassifiedRow = PreviewRow & { patientFields: PatientFields | null }

type Options = Reading & {
  includeDuplicates: boolean
  /** Rows (with content, without the heading) that were dealt with before; they only count as earlier rows. */
  after: number
  /** How many rows go together. */
  chunk: number
  /** What the practice's patients have of these likenesses; asked once a chunk. */
  askKnown: (likenesses: readonly DuplicateKeys[]) => Promise<ExistingKeys>
}

/** Judges the rows of a file, chunk by chunk, holding no more than a chunk and the likenesses of all rows. */
export async function* classifyRows(csv: string, options: Options): AsyncGenerator<ClassifiedRow[]> {
  const { after, chunk, includeDuplicates, askKnown } = options
  const earlier = earlierRows()
  let seen = -1
  let waiting: { read: ReadRow; likeness: DuplicateKeys | null; reasons: string[] }[] = []

  async function judge(): Promise<ClassifiedRow[]> {
    const rows = waiting
    waiting = []
    const likenesses = rows.flatMap(({ likeness }) => likeness ?? [])
    const known = includeDuplicates || likenesses.length === 0 ? null : await askKnown(likenesses)
    return rows.map(({ read: { row, patient, reasons, shown }, likeness, reasons: likeRow }): ClassifiedRow => {
      const base = { row, patient: shown, patientFields: patient }
      if (!likeness) return { ...base, status: 'invalid', reasons }
      const alike = known ? [...matchExisting(likeness, known), ...likeRow] : []
      return { ...base, status: alike.length > 0 ? 'duplicate' : 'new', reasons: alike }
    })
  }

  for await (const cells of readCsv(csv)) {
    // The first is the heading.
    if (++seen === 0) continue
    const read = readRow(cells, options)
    const likeness = read.patient && duplicateKeysOf(read.patient)
    const reasons = likeness ? earlier.likeEarlier(read.row, likeness) : []
    if (seen <= after) continue
    if (waiting.push({ read, likeness, reasons }) === chunk) yield await judge()
  }
  if (waiting.length > 0) yield await judge()
}
