import { pipeline, Readable } from 'node:stream'
import { setImmediate as breathe } from 'node:timers/promises'
import { CsvError, parse, type Parser } from 'csv-parse'
import { importLimits } from '#contracts/patient-import.ts'

/** The file cannot be read as a table. The message is for the user and names the row where possible. */
export class UnreadableFile extends Error {
  /** `too-large`: more than the maximum; all other codes mean a broken or foreign file. */
  readonly code: 'unreadable' | 'too-large'
  constructor(message: string, code: 'unreadable' | 'too-large' = 'unreadable') {
    super(message)
    this.code = code
  }
}

/**
 * A row of the file. `row` is its number in a spreadsheet: records are counted, not lines (a line break inside quotes
 * does not start a row), including blank rows, which are left out.
 */
export type CsvRow = { row: number; cells: readonly string[] }

export type Delimiter = ',' | ';' | '\t'

/** Maximum characters in a row; the longest possible record is far below. */
const maxRowLength = 128_000
const maxHeadingLength = 500
/** Bytes per call of the parser; other requests are handled between two calls. */
const chunkSize = 64 * 1024

/**
 * Reads a file row by row without holding more than a few rows: the heading first, then every row with content. Throws
 * `UnreadableFile` at the first error.
 */
export async function* readCsv(csv: string): AsyncGenerator<CsvRow> {
  if (Buffer.byteLength(csv) > importLimits.bytes)
    throw new UnreadableFile('The file is larger than 20 MB. Please split it.', 'too-large')
  refuseForeignFormats(csv)
  const { text, delimiter } = openText(csv)
  const parser = parse({
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    // Blanks next to a separator are not part of a value, except inside quotes.
    trim: true,
    max_record_size: maxRowLength,
  })
  pipeline(Readable.from(chunks(Buffer.from(text), parser)), parser, () => undefined)
  try {
    yield* checkedRows(parser)
  } catch (error) {
    throw error instanceof CsvError ? new UnreadableFile(describeCsvError(error)) : error
  }
}

/** Yields the file in pieces. The parser counts only characters in values, so a row of separators is detected here. */
async function* chunks(bytes: Buffer, parser: Parser): AsyncGenerator<Buffer> {
  let since = 0
  let records = 0
  for (let start = 0; start < bytes.length; start += chunkSize) {
    if (parser.info.records === records) since += chunkSize
    else since = 0
    records = parser.info.records
    if (since > 8 * maxRowLength) throw new UnreadableFile(tooLong(records + 1))
    yield bytes.subarray(start, start + chunkSize)
    await breathe()
  }
}

async function* checkedRows(records: AsyncIterable<string[]>): AsyncGenerator<CsvRow> {
  let row = 0
  let found = 0
  for await (const cells of records) {
    row++
    refuseBrokenText(cells, row)
    if (cells.every((cell) => cell.trim() === '')) continue
    if (found === 0) refuseOddHeading(cells)
    if (++found > importLimits.rows + 1)
      throw new UnreadableFile(
        `The file has more than ${importLimits.rows.toLocaleString('en-US')} rows. Please split it.`,
      )
    yield { row, cells }
  }
  if (found === 0) throw new UnreadableFile('The file is empty.')
  if (found === 1) throw new UnreadableFile('The file has headings but no rows.')
}

/** Removes a byte order mark and Excel's first line `sep=;`. */
function openText(csv: string): { text: string; delimiter: Delimiter } {
  const text = csv.startsWith('\uFEFF') ? csv.slice(1) : csv
  const separatorLine = /^sep=([,;\t])(?:\r\n|\n|\r)/.exec(text)
  if (separatorLine) return { text: text.slice(separatorLine[0].length), delimiter: separatorLine[1] as Delimiter }
  return { text, delimiter: detectDelimiter(text) }
}

/**
 * Returns the separator that occurs most often in the heading outside quotes; on a tie the one that is rarer in
 * ordinary text.
 */
export function detectDelimiter(text: string): Delimiter {
  const counts: Record<Delimiter, number> = { '\t': 0, ';': 0, ',': 0 }
  let quoted = false
  let content = false
  for (let at = 0; at < Math.min(text.length, maxRowLength); at++) {
    const character = text.charAt(at)
    if (character === '"') quoted = !quoted
    else if (quoted) continue
    else if ((character === '\n' || character === '\r') && content) break
    else if (character in counts) counts[character as Delimiter]++
    content ||= /[^\s,;]/u.test(character)
  }
  const [most] = (Object.entries(counts) as [Delimiter, number][]).sort(([, one], [, other]) => other - one)
  return most && most[1] > 0 ? most[0] : ','
}

function refuseForeignFormats(csv: string): void {
  if (csv.startsWith('PK\u0003\u0004'))
    throw new UnreadableFile('This is a workbook, not a CSV file. Open it in the spreadsheet and save it as CSV.')
  if (csv.startsWith('%PDF') || csv.startsWith('\u00D0\u00CF\u0011\u00E0'))
    throw new UnreadableFile('This is not a CSV file. Please export the patients as CSV.')
}

function refuseBrokenText(cells: readonly string[], row: number): void {
  for (const cell of cells) {
    if (cell.includes('\0')) throw new UnreadableFile(`This is not a text file: row ${row} contains binary data.`)
    if (cell.includes('\uFFFD'))
      throw new UnreadableFile(
        `Row ${row} contains characters that cannot be read. Save the file as CSV in UTF-8 and choose it again.`,
      )
  }
}

function refuseOddHeading(cells: readonly string[]): void {
  if (cells.length > importLimits.columns)
    throw new UnreadableFile(
      `The file has more than ${importLimits.columns} columns. Is it separated by commas, semicolons or tabs?`,
    )
  if (cells.some((cell) => cell.length > maxHeadingLength))
    throw new UnreadableFile('A heading is far too long. The first row must contain the column names.')
  // oxlint-disable-next-line no-control-regex
  if (cells.some((cell) => /[\u0000-\u0008\u000E-\u001F\u007F]/u.test(cell)))
    throw new UnreadableFile('This is not a text file: row 1 contains binary data.')
}

const tooLong = (row: number) => `Row ${row} is far too long, or a quotation mark in it is never closed.`

/** Translates the library's errors, which name lines and bytes, into messages that name a row. */
function describeCsvError(error: CsvError): string {
  const row = ((error as CsvError & { records?: number }).records ?? 0) + 1
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') return `Row ${row}: a quotation mark is opened and never closed.`
  if (error.code === 'CSV_MAX_RECORD_SIZE') return tooLong(row)
  return `Row ${row}: a quotation mark is in the wrong place. Inside a quoted value it has to be doubled.`
}
