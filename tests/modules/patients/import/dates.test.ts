import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  detectDateFormat,
  emptyDateStatistics,
  recordDate,
  detectOrder,
  readDate,
} from '#modules/patients/import/dates.ts'

/** Reads a birth date, on November 25, 2026. */
const read = (value: string, format: Parameters<typeof readDate>[1]) =>
  readDate(value, format, { today: '2026-11-25', isRecent: false })

function factsOf(...values: string[]) {
  const statistics = emptyDateStatistics()
  values.forEach((value, index) => recordDate(statistics, index + 2, value))
  return statistics
}
const formatOf = (...values: string[]) => detectDateFormat(factsOf(...values))

describe('one date', () => {
  test.each([
    ['1996-02-24', 'iso', '1996-02-24'],
    ['1996-2-4', 'iso', '1996-02-04'],
    ['1996/02/24', 'iso', '1996-02-24'],
    ['19960224', 'iso', '1996-02-24'],
    ['1996-02-24T00:00:00Z', 'iso', '1996-02-24'],
    ['1996-02-24 00:00:00.000', 'iso', '1996-02-24'],
    ['1996-02-24T23:30:00+05:00', 'iso', '1996-02-24'],
    [' 3/4/2024 ', 'mdy', '2024-03-04'],
    ['3/4/2024', 'dmy', '2024-04-03'],
    ['3-4-2024', 'mdy', '2024-03-04'],
    ['3/4/2024 12:00:00 AM', 'mdy', '2024-03-04'],
    ['5/5/2001', null, '2001-05-05'],
    ['4.3.2024', 'dmy', '2024-03-04'],
    ['4.3.2024', 'mdy', '2024-03-04'],
    ['04. 03. 2024', null, '2024-03-04'],
    ['2000-02-29', 'iso', '2000-02-29'],
    ['24-Feb-1996', 'iso', '1996-02-24'],
    ['Feb 24, 1996', null, '1996-02-24'],
    ['24 february 1996', 'mdy', '1996-02-24'],
    ['September 1st, 1950', null, '1950-09-01'],
    ['1996-02-24', 'dmy', '1996-02-24'],
    ['01/01/57', null, '1957-01-01'],
    ['16-07-68', 'dmy', '1968-07-16'],
    ['31.12.26', 'dmy', '1926-12-31'],
    ['3/4/15', 'mdy', '2015-03-04'],
    ['24-Feb-96', 'iso', '1996-02-24'],
    ['29.2.00', 'dmy', '2000-02-29'],
  ] as const)('%s, %s, is %s', (value, format, date) => {
    expect(read(value, format)).toEqual({ kind: 'date', date })
  })

  test.each([
    ['2/30/1990', 'mdy', 'February 30 does not exist'],
    ['1990-02-30', 'iso', 'February 30 does not exist'],
    ['29.2.1900', 'dmy', 'February 29 does not exist in 1900'],
    ['31/04/1990', 'dmy', 'April 31 does not exist'],
    ['13/05/2001', 'mdy', 'month 13 does not exist'],
    ['05/13/2001', 'dmy', 'month 13 does not exist'],
    ['0/5/2001', 'mdy', 'month 0 does not exist'],
    ['5/0/2001', 'mdy', 'May 0 does not exist'],
    ['24/11/26', 'dmy', 'the year may be 2026 or 1926, please write four digits'],
    ['1.1.16', 'dmy', 'the year may be 2016 or 1916, please write four digits'],
    ['30/02/57', 'dmy', 'February 30 does not exist'],
    ['35119', 'iso', 'this is the number of a day in a spreadsheet, format the column as a date'],
    ['35119.5', 'iso', 'this is the number of a day in a spreadsheet, format the column as a date'],
    ['1975', 'iso', 'a year alone is not a date'],
    ['3/4/2024', 'iso', 'this is not written as year, month, day'],
    ['24 Foo 1996', 'iso', 'this is not a date'],
    ['yesterday', 'iso', 'this is not a date'],
    ['99999999', 'iso', 'this is not a date'],
  ] as const)('%s, %s: %s', (value, format, reason) => {
    expect(read(value, format)).toEqual({ kind: 'unreadable', reason })
  })

  test('of a death is recent', () => {
    const period = { today: '2026-11-25', isRecent: true }
    expect(readDate('24/11/26', 'dmy', period)).toEqual({ kind: 'date', date: '2026-11-24' })
    expect(readDate('26/11/26', 'dmy', period)).toEqual({ kind: 'date', date: '1926-11-26' })
  })

  test('that is valid in both orders is not read before the order is chosen', () => {
    expect(read('3/4/2024', null)).toEqual({ kind: 'ambiguous' })
  })
})

describe('how a file writes its dates', () => {
  test.each([
    [['1996-02-24', '1976-09-09'], 'iso'],
    [[], 'iso'],
    [['4.3.2024', '31.12.1999'], 'dmy'],
    [['3/4/2024', '12/25/1999'], 'mdy'],
    [['3/4/2024', '25/12/1999'], 'dmy'],
    [['25/12/1999', '1996-02-24'], 'dmy'],
    [['5/5/2001'], 'iso'],
    [['3/4/2024', '2/30/1990'], null],
    [['2/30/1990', '25/12/1999'], 'dmy'],
    [['3/4/2024', '4.3.2024'], null],
    [['3/4/2024', '11/12/1999'], null],
    [['3/4/2024', '12/25/1999', '25/12/1999'], null],
    [['12/25/1999', '12/26/1999', '25/12/1999'], 'mdy'],
    [['25/12/1999', '12/25/1999'], 'dmy'],
  ])('%j: %s', (values, format) => {
    expect(formatOf(...values)).toBe(format)
  })

  test('the doubtful ones are shown with their rows, five at most', () => {
    const { either } = factsOf(...Array.from({ length: 9 }, (_, day) => `1/${day + 1}/2000`))
    expect(either).toEqual([3, 4, 5, 6, 7].map((row) => ({ row, value: `1/${row - 1}/2000` })))
  })
})

const calendarDay = fc.date({ min: new Date('1900-01-01'), max: new Date('2026-01-01'), noInvalidDate: true })
const partsOf = (day: Date) => [day.getUTCFullYear(), day.getUTCMonth() + 1, day.getUTCDate()] as const
const isoOf = (day: Date) => day.toISOString().slice(0, 10)

test('a file written in one way is read as it was meant, or asked about; never otherwise', () => {
  const writers = {
    mdy: (day: Date) => `${partsOf(day)[1]}/${partsOf(day)[2]}/${partsOf(day)[0]}`,
    dmy: (day: Date) => `${partsOf(day)[2]}/${partsOf(day)[1]}/${partsOf(day)[0]}`,
  }
  fc.assert(
    fc.property(
      fc.array(calendarDay, { minLength: 1 }),
      fc.constantFrom('mdy' as const, 'dmy' as const),
      (days, way) => {
        const values = days.map(writers[way])
        const format = formatOf(...values)
        const told = days.some((day) => partsOf(day)[2] > 12)
        const doubtful = days.some((day) => partsOf(day)[2] <= 12 && partsOf(day)[1] !== partsOf(day)[2])
        expect(format === null).toBe(!told && doubtful)
        const found = values.map((value) => read(value, format ?? way))
        expect(found).toEqual(days.map((day) => ({ kind: 'date', date: isoOf(day) })))
      },
    ),
  )
})

test('two dates that are each other’s mirror are never both taken as the same day', () => {
  fc.assert(
    fc.property(calendarDay, (day) => {
      const [year, month, date] = partsOf(day)
      const order = detectOrder(`${month}/${date}/${year}`)
      expect(order).toBe(month === date ? null : date > 12 ? 'mdy' : 'either')
    }),
  )
})

const exists = (y: number, m: number, d: number) => {
  const day = new Date(Date.UTC(y, m - 1, d))
  return m >= 1 && d >= 1 && day.getUTCMonth() === m - 1 && day.getUTCDate() === d
}

test('only days that exist are read, and every such day is', () => {
  const [year, part] = [fc.integer({ min: 1900, max: 2100 }), fc.integer({ min: 0, max: 40 })]
  fc.assert(
    fc.property(year, part, part, fc.constantFrom('', 'T10:00:00Z', ' 9:30 PM'), (y, m, d, time) => {
      const ways = [read(`${y}-${m}-${d}${time}`, 'mdy'), read(`${m}/${d}/${y}${time}`, 'mdy')]
      const others = [read(`${d}.${m}.${y}${time}`, 'mdy'), read(`${d}/${m}/${y}${time}`, 'dmy')]
      const date = `${y}-${String(m).padStart(2, '0')}-${String(d).padStart(2, '0')}`
      const expected = exists(y, m, d) ? date : undefined
      expect([...ways, ...others].map((each) => ('date' in each ? each.date : undefined))).toEqual([
        expected,
        expected,
        expected,
        expected,
      ])
    }),
    { numRuns: 500 },
  )
})

test('no text at all stops the reader', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'0123456789/-. :TZFeb'), maxLength: 24 }), (value) => {
      expect(['date', 'ambiguous', 'unreadable']).toContain(read(value, null).kind)
    }),
  )
})
