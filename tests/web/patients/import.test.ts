import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseImportSearch } from '#web/features/patients/import/import-search.ts'
import {
  readAmbiguousDate,
  hasNames,
  mapColumn,
  findRowsOverLimit,
  summarizeImport,
  describePlanShortage,
} from '#web/features/patients/import/import-labels.ts'
import { decodeText, FileRefused } from '#web/features/patients/import/read-import-file.ts'
import { listSkippedRows, createReportCsv } from '#web/features/patients/import/report-csv.ts'

describe('the report of an import', () => {
  const status = {
    skippedRows: [{ row: 9, reasons: ['Same name and birth date as row 2'] }],
    failed: [
      { row: 3, reasons: ['Last name is missing', 'Email is not complete'] },
      { row: 12, reasons: ['=HYPERLINK("http://x","y")'] },
    ],
  }

  it('lists the rows in the order of the file', () => {
    expect(listSkippedRows(status).map(({ row, outcome }) => [row, outcome])).toEqual([
      [3, 'Left out'],
      [9, 'Duplicate'],
      [12, 'Left out'],
    ])
  })

  it('opens in a spreadsheet as what it says', () => {
    expect(parse(createReportCsv(status), { bom: true })).toEqual([
      ['Row', 'Outcome', 'Reasons'],
      ['3', 'Left out', 'Last name is missing; Email is not complete'],
      ['9', 'Duplicate', 'Same name and birth date as row 2'],
      ['12', 'Left out', `'=HYPERLINK("http://x","y")`],
    ])
  })

  it('never lets a value of the file become a formula, and loses none', () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1 }), (reasons) => {
        const rows = parse(createReportCsv({ skippedRows: [], failed: [{ row: 2, reasons }] }), { bom: true })
        const cell = rows[1]?.[2] ?? ''
        expect(cell).not.toMatch(/^[=+\-@\t\r\n]/)
        expect(cell.replace(/^'/, '')).toBe(reasons.join('; ').replace(/^'/, ''))
      }),
    )
  })
})

describe('a file', () => {
  const utf8 = new TextEncoder()
  it.each([
    ['UTF-8', utf8.encode('Zoë,Müller'), 'Zoë,Müller'],
    ['UTF-8 with its mark', utf8.encode('\u{FEFF}Zoë'), 'Zoë'],
    ['the old Western encoding of Windows', Uint8Array.of(0x5a, 0x6f, 0xeb, 0x80), 'Zoë€'],
    ['UTF-16, as spreadsheets call Unicode text', Uint8Array.of(0xff, 0xfe, 0x5a, 0, 0xeb, 0), 'Zë'],
  ])('is read in %s', (_, bytes, text) => {
    expect(decodeText(bytes)).toBe(text)
  })

  it('that is a workbook is refused with the way out', () => {
    expect(() => decodeText(Uint8Array.of(0x50, 0x4b, 0x03, 0x04, 0x14))).toThrow(FileRefused)
    expect(() => decodeText(Uint8Array.of(0x50, 0x4b, 0x03, 0x04, 0x14))).toThrow('save it as CSV')
  })

  it('that is a picture is refused', () => {
    expect(() => decodeText(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 0x0d))).toThrow('not a text file')
  })
})

describe('the columns of a file', () => {
  it('feed a field from one column: the other is left out', () => {
    expect(mapColumn({ Cell: 'phone', Home: null }, 'Home', 'phone')).toEqual({ Cell: null, Home: 'phone' })
  })

  it('may share the fields that are joined', () => {
    expect(mapColumn({ Street: 'address', Unit: null }, 'Unit', 'address')).toEqual({
      Street: 'address',
      Unit: 'address',
    })
  })

  it('can be left out again', () => {
    expect(mapColumn({ Cell: 'phone' }, 'Cell', null)).toEqual({ Cell: null })
  })

  it('say who somebody is by a full name, or by first and last name', () => {
    expect(hasNames({ A: 'fullName' })).toBe(true)
    expect(hasNames({ A: 'firstName', B: 'lastName' })).toBe(true)
    expect(hasNames({ A: 'firstName', B: 'email' })).toBe(false)
  })
})

describe('a date that can be read in two ways', () => {
  it('is shown in both', () => {
    expect(readAmbiguousDate('03/04/1978')).toEqual({
      monthFirst: 'March 4, 1978',
      dayFirst: 'April 3, 1978',
      months: ['March', 'April'],
    })
  })

  it('is shown without a year that has two digits', () => {
    expect(readAmbiguousDate('3.4.78')?.dayFirst).toBe('April 3')
  })

  it('is only a date', () => {
    expect(readAmbiguousDate('soon')).toBeNull()
    expect(readAmbiguousDate('25/12/1978')).toBeNull()
  })
})

describe('the address of an import', () => {
  it('keeps an id and nothing else', () => {
    const id = '0190a1b2-3c4d-7e5f-8a6b-7c8d9e0f1a2b'
    expect(parseImportSearch({ id, more: 1 })).toEqual({ id })
    expect(parseImportSearch({ id: '../../etc' })).toEqual({})
  })
})

it('sums up an import in one line', () => {
  const counts = { total: 1312, done: 1312, created: 1, skipped: 94, removed: 0, kept: 0 }
  const times = { startedAt: '2026-11-21T10:00:00.000Z', finishedAt: null }
  const importId = '0190a1b2-3c4d-7e5f-8a6b-7c8d9e0f1a2b' as never
  expect(summarizeImport({ importId, state: 'done', ...counts, ...times })).toBe(
    '1 patient added, 94 duplicates, 1,217 left out',
  )
  expect(summarizeImport({ importId, state: 'undone', ...counts, removed: 1186, kept: 3, ...times })).toBe(
    '1,186 patients taken back, 3 kept',
  )
  expect(summarizeImport({ importId, state: 'running', ...counts, ...times })).toBe('1,312 rows')
  expect(summarizeImport({ importId, state: 'failed', ...counts, done: 250, ...times })).toBe(
    '1 patient added, 250 of 1,312 rows looked at',
  )
})

describe('a file with more patients than the plan has room for', () => {
  it('is said to be too large only where it is', () => {
    expect([describePlanShortage(500, null), describePlanShortage(500, 500), describePlanShortage(0, 0)]).toEqual([
      null,
      null,
      null,
    ])
  })

  it('is told how many fit and how many stay out', () => {
    expect(describePlanShortage(5, 4)).toEqual({
      title: 'Your plan has room for 4 more patients',
      hint: 'The first 4 of the file will be added. 1 stays out, and the report names it.',
    })
    expect(describePlanShortage(2_001, 1)?.title).toBe('Your plan has room for 1 more patient')
    expect(describePlanShortage(2_001, 1)?.hint).toContain('2,000 stay out')
    expect(describePlanShortage(3, 0)?.title).toBe('Your plan is full')
  })
})

describe('the rows that the plan has no room for', () => {
  const row = (number: number, status: 'new' | 'duplicate' | 'invalid') => ({
    row: number,
    status,
    reasons: [],
    patient: {} as never,
  })
  const rows = [row(2, 'new'), row(3, 'invalid'), row(4, 'duplicate'), row(5, 'new'), row(6, 'new')]

  it('are the last of those that would be added', () => {
    expect([...findRowsOverLimit({ rows, remainingPatients: 2 }, false)]).toEqual([6])
    expect([...findRowsOverLimit({ rows, remainingPatients: 2 }, true)]).toEqual([5, 6])
    expect([...findRowsOverLimit({ rows, remainingPatients: 0 }, false)]).toEqual([2, 5, 6])
  })

  it('are none in a plan without a limit', () => {
    expect([...findRowsOverLimit({ rows, remainingPatients: null }, true)]).toEqual([])
  })
})
