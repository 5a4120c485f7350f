import { pipeline, Readable } from 'node:stream'
import { setImmediate as breathe } from 'node:timers/promises'
import { CsvError, parse, type Parser } from 'csv-parse'
import { importLimits } from '#contracts/patient-import.ts'

/** The file cannot be read as a table. The message is for the person who chose it and names the row where it can. */
export class UnreadableFile extends Error {
  /** `too-large` is more than we take; everything else is a broken or foreign file. */
  readonly code: 'unreadable' | 'too-large'
  constructor(message: string, code: 'unreadable' | 'too-large' = 'unreadable') {
    super(message)
    this.code = code
  }
}

/**
 * One row of the file. `row` is the number a spreadsheet shows beside it: records count, not lines (a line break inside
 * quotes does not start a row), and blank rows count although they are left out.
 */
export type CsvRow = { row: number; cells: readonly string[] }

export type Delimiter = ',' | ';' | '\t'

/** Characters in one row. The longest record a patient can have is well below. */
const maxRowLength = 128_000
const maxHeadingLength = 500
/** Bytes handed to the parser at a time; between two of them other requests get their turn. */
const chunkSize = 64 * 1024

/**
 * Reads a file row by row without holding more than a few of them: the heading first, then every row with content.
 * Throws `UnreadableFile` at the first thing that makes the table unreadable, without reading on.
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
    // Blanks beside a separator are no part of a value; inside quotes they are.
    trim: true,
    max_record_size: maxRowLength,
  })
  pipeline(Readable.from(chunks(Buffer.from(text), parser)), parser, () => undefined)
  try {
    yield* checkedRows(parser)
  } catch (error) {
    throw error instanceof CsvError ? new UnreadableFile(messageOf(error)) : error
  }
}

/** Hands out the file piece by piece. The parser counts characters in values only: a row of separators is caught here. */
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

/** A byte order mark and Excel's own first line `sep=;` are no part of the table. */
function openText(csv: string): { text: string; delimiter: Delimiter } {
  const text = csv.startsWith('\uFEFF') ? csv.slice(1) : csv
  const told = /^sep=([,;\t])(?:\r\n|\n|\r)/.exec(text)
  if (told) return { text: text.slice(told[0].length), delimiter: told[1] as Delimiter }
  return { text, delimiter: detectDelimiter(text) }
}

/** The separator the heading uses most, outside of quotes. In doubt the one that is rarer in ordinary text. */
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
    if (cell.includes('\0')) throw new UnreadableFile(`This is not a text file: row ${row} holds binary data.`)
    if (cell.includes('\uFFFD'))
      throw new UnreadableFile(
        `Row ${row} holds letters that cannot be read. Save the file as CSV in UTF-8 and choose it again.`,
      )
  }
}

function refuseOddHeading(cells: readonly string[]): void {
  if (cells.length > importLimits.columns)
    throw new UnreadableFile(
      `The file has more than ${importLimits.columns} columns. Is it separated by commas, semicolons or tabs?`,
    )
  if (cells.some((cell) => cell.length > maxHeadingLength))
    throw new UnreadableFile('A heading is far too long. The first row must hold the names of the columns.')
  // oxlint-disable-next-line no-control-regex
  if (cells.some((cell) => /[\u0000-\u0008\u000E-\u001F\u007F]/u.test(cell)))
    throw new UnreadableFile('This is not a text file: row 1 holds binary data.')
}

const tooLong = (row: number) => `Row ${row} is far too long, or a quotation mark in it is never closed.`

/** The library's errors speak of lines and bytes; people look for a row. */
function messageOf(error: CsvError): string {
  const row = ((error as CsvError & { records?: number }).records ?? 0) + 1
  if (error.code === 'CSV_QUOTE_NOT_CLOSED') return `Row ${row}: a quotation mark is opened and never closed.`
  if (error.code === 'CSV_MAX_RECORD_SIZE') return tooLong(row)
  return `Row ${row}: a quotation mark stands where none can be. Inside a quoted value it has to be doubled.`
}
