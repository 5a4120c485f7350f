import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createReportCsv, listSkippedRows } from '#web/features/patients/import/report-csv.ts'

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

  it('is read unchanged by a CSV parser', () => {
    expect(parse(createReportCsv(status), { bom: true })).toEqual([
      ['Row', 'Outcome', 'Reasons'],
      ['3', 'Left out', 'Last name is missing; Email is not complete'],
      ['9', 'Duplicate', 'Same name and birth date as row 2'],
      ['12', 'Left out', `'=HYPERLINK("http://x","y")`],
    ])
  })

  it('turns no value of the file into a formula, and loses none', () => {
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
