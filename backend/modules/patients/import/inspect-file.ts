import type { DateFormat, ImportPreview } from '#contracts/patient-import.ts'
import { type Column, hasNoHeading, recogniseColumns } from './columns.ts'
import { type CsvRow, readCsv, UnreadableFile } from './csv.ts'
import { type DateStatistics, detectDateFormat, emptyDateStatistics, recordDate } from './dates.ts'

/** What a file is, before any of its rows is judged. `dateFormat` is null where it has to be asked. */
export type FileInspection = {
  columns: Column[]
  dateFormat: DateFormat | null
  ambiguousDates: ImportPreview['ambiguousDates']
  /** Rows with content, without the heading. */
  total: number
}

/** Rows that are looked at to guess what a column holds. */
const sampleSize = 200
const dateFields = new Set<Column['field']>(['dateOfBirth', 'deceasedOn'])

/**
 * Reads the whole file once: its columns (`choose` may change what was recognised), how many rows it has, and how it
 * writes its dates. Throws `UnreadableFile`.
 */
export async function inspectFile(
  csv: string,
  choose: (recognised: Column[]) => Column[],
  dateFormat?: DateFormat,
): Promise<FileInspection> {
  const samples: CsvRow[] = []
  const facts = emptyDateStatistics()
  let heading: CsvRow | undefined
  let columns: Column[] | undefined
  let total = 0

  const settle = ({ cells }: CsvRow) => {
    const chosen = choose(
      recogniseColumns(
        cells,
        samples.map((sample) => sample.cells),
      ),
    )
    for (const sample of samples) noteDates(facts, sample, chosen)
    return chosen
  }

  for await (const row of readCsv(csv)) {
    if (!heading) {
      if (hasNoHeading(row.cells))
        throw new UnreadableFile('The first row holds values. Add a row with the names of the columns above it.')
      heading = row
      continue
    }
    total++
    if (columns) noteDates(facts, row, columns)
    else if (samples.push(row) === sampleSize) columns = settle(heading)
  }
  columns ??= heading ? settle(heading) : []
  const known = dateFormat ?? detectDateFormat(facts)
  return { columns, dateFormat: known, ambiguousDates: known === null ? facts.either : [], total }
}

function noteDates(facts: DateStatistics, { row, cells }: CsvRow, columns: readonly Column[]): void {
  columns.forEach(({ field }, index) => {
    const value = cells[index]
    if (value && dateFields.has(field)) recordDate(facts, row, value)
  })
}
