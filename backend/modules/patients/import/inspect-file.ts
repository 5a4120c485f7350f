import type { DateFormat, ImportPreview } from '#contracts/patient-import.ts'
import { type Column, hasNoHeading, recognizeColumns } from './columns.ts'
import { type CsvRow, readCsv, UnreadableFile } from './csv.ts'
import { type DateStatistics, detectDateFormat, emptyDateStatistics, recordDate } from './dates.ts'
import { emptyPostalCodeStatistics, type PostalCodeStatistics, recordPostalCode } from './postal-codes.ts'

/** A file before its rows are classified. `dateFormat` is null when the user has to choose. */
export type FileInspection = {
  columns: Column[]
  dateFormat: DateFormat | null
  ambiguousDates: ImportPreview['ambiguousDates']
  shortPostalCodes: ImportPreview['shortPostalCodes']
  /** The number of rows with content, without the heading. */
  total: number
}

/** The number of rows from which the content of a column is guessed. */
const sampleSize = 200
const dateFields = new Set<Column['field']>(['dateOfBirth', 'deceasedOn'])

/**
 * Reads the whole file once: its columns (`choose` may change the recognized ones), its number of rows, its date
 * format and its shortened postal codes. Throws `UnreadableFile`.
 */
export async function inspectFile(
  csv: string,
  choose: (recognized: Column[]) => Column[],
  dateFormat?: DateFormat,
): Promise<FileInspection> {
  const samples: CsvRow[] = []
  const dates = emptyDateStatistics()
  const postalCodes = emptyPostalCodeStatistics()
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
    for (const sample of samples) record(sample, chosen)
    return chosen
  }
  const record = (row: CsvRow, chosen: readonly Column[]) => {
    recordDates(dates, row, chosen)
    recordPostalCodes(postalCodes, row, chosen)
  }

  for await (const row of readCsv(csv)) {
    if (!heading) {
      if (hasNoHeading(row.cells))
        throw new UnreadableFile('The first row contains values. Add a row with the names of the columns above it.')
      heading = row
      continue
    }
    total++
    if (columns) record(row, columns)
    else if (samples.push(row) === sampleSize) columns = chooseAndRecord(heading)
  }
  columns ??= heading ? chooseAndRecord(heading) : []
  const known = dateFormat ?? detectDateFormat(dates)
  const { shortened: count, certain, example } = postalCodes
  return {
    columns,
    dateFormat: known,
    ambiguousDates: known === null ? dates.either : [],
    shortPostalCodes: example && { count, isLikely: certain === count, example },
    total,
  }
}

function recordPostalCodes(statistics: PostalCodeStatistics, { row, cells }: CsvRow, columns: readonly Column[]): void {
  const getValue = (field: Column['field']) =>
    cells[columns.findIndex((column) => column.field === field)]?.trim() ?? ''
  const postalCode = getValue('postalCode')
  if (postalCode !== '')
    recordPostalCode(statistics, row, { postalCode, state: getValue('state'), country: getValue('country') })
}

function recordDates(statistics: DateStatistics, { row, cells }: CsvRow, columns: readonly Column[]): void {
  columns.forEach(({ field }, index) => {
    const value = cells[index]
    if (value && dateFields.has(field)) recordDate(statistics, row, value)
  })
}
