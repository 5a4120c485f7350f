import type { DateFormat, ImportPreview } from '#contracts/patient-import.ts'
import { type Column, hasNoHeading, recognizeColumns } from './columns.ts'
import { type CsvRow, readCsv, UnreadableFile } from './csv.ts'
import { type DateStatistics, detectDateFormat, emptyDateStatistics, recordDate } from './dates.ts'

/** A file before its rows are classified. `dateFormat` is null when the user has to choose. */
export type FileInspection = {
  columns: Column[]
  dateFormat: DateFormat | null
  ambiguousDates: ImportPreview['ambiguousDates']
  /** The number of rows with content, without the heading. */
  total: number
}

/** The number of rows from which the content of a column is guessed. */
const sampleSize = 200
const dateFields = new Set<Column['field']>(['dateOfBirth', 'deceasedOn'])

/**
 * Reads the whole file once: its columns (`choose` may change the recognized ones), its number of rows and its date
 * format. Throws `UnreadableFile`.
 */
export async function inspectFile(
  csv: string,
  choose: (recognized: Column[]) => Column[],
  dateFormat?: DateFormat,
): Promise<FileInspection> {
  const samples: CsvRow[] = []
  const statistics = emptyDateStatistics()
  let heading: CsvRow | undefined
  let columns: Column[] | undefined
  let total = 0

  const chooseAndRecord = ({ cells }: CsvRow) => {
    const chosen = choose(
      recognizeColumns(
        cells,
        samples.map((sample) => sample.cells),
      ),
    )
    for (const sample of samples) recordDates(statistics, sample, chosen)
    return chosen
  }

  for await (const row of readCsv(csv)) {
    if (!heading) {
      if (hasNoHeading(row.cells))
        throw new UnreadableFile('The first row contains values. Add a row with the names of the columns above it.')
      heading = row
      continue
    }
    total++
    if (columns) recordDates(statistics, row, columns)
    else if (samples.push(row) === sampleSize) columns = chooseAndRecord(heading)
  }
  columns ??= heading ? chooseAndRecord(heading) : []
  const known = dateFormat ?? detectDateFormat(statistics)
  return { columns, dateFormat: known, ambiguousDates: known === null ? statistics.either : [], total }
}

function recordDates(statistics: DateStatistics, { row, cells }: CsvRow, columns: readonly Column[]): void {
  columns.forEach(({ field }, index) => {
    const value = cells[index]
    if (value && dateFields.has(field)) recordDate(statistics, row, value)
  })
}
