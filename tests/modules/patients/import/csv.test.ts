import { setImmediate } from 'node:timers/promises'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { detectDelimiter, readCsv, UnreadableFile } from '#modules/patients/import/csv.ts'

async function rowsOf(csv: string) {
  const rows = []
  for await (const row of readCsv(csv)) rows.push(row)
  return rows
}

const cellsOf = async (csv: string) => (await rowsOf(csv)).map(({ cells }) => cells)

async function refusalOf(csv: string) {
  try {
    await rowsOf(csv)
  } catch (error) {
    if (error instanceof UnreadableFile) return error
    throw error
  }
  throw new Error('The file was read')
}

describe('what is read', () => {
  test.each([
    ['commas', 'First,Last\nGrace,Hopper\n'],
    ['semicolons', 'First;Last\nGrace;Hopper\n'],
    ['tabs', 'First\tLast\nGrace\tHopper\n'],
    ['Windows line ends', 'First,Last\r\nGrace,Hopper\r\n'],
    ['old Macintosh line ends', 'First,Last\rGrace,Hopper\r'],
    ['mixed line ends', 'First,Last\r\nGrace,Hopper\n'],
    ['no line end at the end', 'First,Last\nGrace,Hopper'],
    ['a byte order mark', '\uFEFFFirst,Last\nGrace,Hopper'],
    ['quotes', '"First","Last"\n"Grace","Hopper"'],
    ["Excel's own line about the separator", 'sep=;\r\nFirst;Last\r\nGrace;Hopper'],
    ['blanks beside quotes and separators', '"First", "Last" \n"Grace" , Hopper \n'],
    ['blank lines', '\n\nFirst,Last\n\n,\nGrace,Hopper\n\n'],
  ])('%s', async (_, csv) => {
    expect(await cellsOf(csv)).toEqual([
      ['First', 'Last'],
      ['Grace', 'Hopper'],
    ])
  })

  test('doubled quotes, separators and line breaks inside quotes', async () => {
    const csv = 'First,Notes\nGrace,"Says ""hello"", often\r\nand twice"\n'
    expect(await cellsOf(csv)).toEqual([
      ['First', 'Notes'],
      ['Grace', 'Says "hello", often\r\nand twice'],
    ])
  })

  test('rows are numbered as a spreadsheet numbers them: breaks in quotes do not count, blank rows do', async () => {
    const csv = 'First,Notes\nGrace,"one\ntwo\nthree"\n\nAda,x\n,\nMary,y\n'
    expect((await rowsOf(csv)).map(({ row, cells }) => [row, cells[0]])).toEqual([
      [1, 'First'],
      [2, 'Grace'],
      [4, 'Ada'],
      [6, 'Mary'],
    ])
  })

  test('rows may be shorter or longer than the heading', async () => {
    expect(await cellsOf('a,b,c\n1\n1,2,3,4\n')).toEqual([['a', 'b', 'c'], ['1'], ['1', '2', '3', '4']])
  })

  test('empty cells between tabs stay', async () => {
    expect(await cellsOf('a\tb\tc\n\t\t"x"\t\n1\t\t\n')).toEqual([
      ['a', 'b', 'c'],
      ['', '', 'x', ''],
      ['1', '', ''],
    ])
  })

  test('the separator is counted outside of quotes only', () => {
    expect(detectDelimiter('"Name, in full","Day, month, year";Phone;Cell\n')).toBe(';')
    expect(detectDelimiter('Name\nHopper;Grace;x')).toBe(',')
    expect(detectDelimiter('\n\nFirst\tLast, if any\n')).toBe('\t')
  })
})

describe('what is refused, with the row', () => {
  test.each([
    ['an unclosed quote', 'a,b\n1,2\n3,"4\n5,6\n', 'Row 3: a quotation mark is opened and never closed.'],
    ['a quote inside a value', 'a,b\n1,2"x\n', 'Row 2: a quotation mark is in the wrong place.'],
    ['a quote that is not doubled', 'a,b\n1,"2"x"\n', 'Row 2: a quotation mark is in the wrong place.'],
    ['binary', 'a,b\n1,2\n\0\0,\0', 'This is not a text file: row 3 contains binary data.'],
    ['binary in the heading', 'a\u0001,b\n1,2\n', 'This is not a text file: row 1 contains binary data.'],
    ['lost letters', 'a,b\nJos\uFFFD,2\n', 'Row 2 contains characters that cannot be read.'],
    ['halves of letters', 'a,b\n\uD800,2\n', 'Row 2 contains characters that cannot be read.'],
    ['a workbook', 'PK\u0003\u0004rest', 'This is a workbook, not a CSV file.'],
    ['a PDF', '%PDF-1.7\n', 'This is not a CSV file.'],
    ['nothing', '  \n\n', 'The file is empty.'],
    ['headings alone', 'First,Last\n\n', 'The file has headings but no rows.'],
    ['a heading without end', `${'x'.repeat(501)},b\n1,2`, 'A heading is far too long.'],
    ['columns without end', `${'a,'.repeat(501)}\n1,2`, 'The file has more than 500 columns.'],
  ])('%s', async (_, csv, message) => {
    expect((await refusalOf(csv)).message).toContain(message)
  })

  test.each([
    ['a line without end', `a,b\n1,2\n${'x'.repeat(15_000_000)}`],
    ['a quote that swallows the file', `a,b\n1,2\n3,"${'4\n'.repeat(7_000_000)}`],
    ['a row of nothing but separators', `a,b\n1,2\n${','.repeat(15_000_000)}`],
  ])('%s is not read to its end', async (_, csv) => {
    // The reader yields to the event loop after each 64 kB: more than 200 times in a file of this size.
    let turns = 0
    let isReading = true
    const counting = (async () => {
      for (; isReading; turns++) await setImmediate()
    })()
    expect((await refusalOf(csv)).message).toContain('Row 3 is far too long')
    isReading = false
    await counting
    expect(turns).toBeLessThan(50)
  })

  test('more than 20 MB', async () => {
    expect((await refusalOf('a'.repeat(20 * 1024 * 1024 + 1))).code).toBe('too-large')
  })

  test('more than 50,000 rows, and not one less', async () => {
    expect((await refusalOf(`a,b\n${'1,2\n'.repeat(50_001)}`)).message).toContain('more than 50,000 rows')
    expect(await rowsOf(`a,b\n${'1,2\n'.repeat(50_000)}`)).toHaveLength(50_001)
  })
})

test('whatever a field holds comes back as it was, with every separator and line end', async () => {
  const storable = fc
    .string({ unit: 'grapheme', maxLength: 30 })
    .map((text) => text.replaceAll('\0', '').replaceAll('\uFFFD', ''))
  const separators = fc.constantFrom(',' as const, ';' as const, '\t' as const)
  const marked = fc.oneof(storable, fc.constantFrom('"', '""', ',', ';', '\t', '\n', '\r\n', 'a"b', ' x '))
  const table = fc.array(fc.tuple(marked, marked, marked), { minLength: 1, maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(table, separators, fc.constantFrom('\n', '\r\n', '\r'), async (rows, separator, end) => {
      const written = [['First name', 'Last name', 'Notes'], ...rows]
        .map((cells) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(separator))
        .join(end)
      const kept = rows.filter((cells) => cells.some((cell) => cell.trim() !== ''))
      fc.pre(kept.length > 0)
      expect((await cellsOf(written)).slice(1)).toEqual(kept)
    }),
    { numRuns: 200 },
  )
})

test('no text at all breaks the reader: it is read or refused in words', async () => {
  const characters = fc.constantFrom('a', '"', ',', ';', '\t', '\n', '\r', ' ', 'é', '\u0000', '\uFFFD', '\uD800')
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: characters, maxLength: 60 }), async (csv) => {
      const outcome = await rowsOf(csv).then(
        (rows) => rows.length > 1,
        (error: unknown) => error instanceof UnreadableFile,
      )
      expect(outcome).toBe(true)
    }),
    { numRuns: 500 },
  )
})
