import { describe, expect, it } from 'vitest'
import type { ImportField } from '#contracts/patient-import.ts'
import type { ImportPreview } from '#contracts/patient-import.ts'
import {
  countAdded,
  isAdded,
  type ColumnMapping,
  describePlanShortage,
  findRowsOverLimit,
  hasNames,
  mapColumn,
  readAmbiguousDate,
  summarizeImport,
} from '#web/features/patients/import/import-labels.ts'

/** Returns a mapping of columns to fields. */
const columns = (fields: Record<string, ImportField | null>): ColumnMapping => new Map(Object.entries(fields))

describe('the columns of a file', () => {
  it('fill a field from one column only', () => {
    expect(mapColumn(columns({ Cell: 'phone', Home: null }), 'Home', 'phone')).toEqual(
      columns({ Cell: null, Home: 'phone' }),
    )
  })

  it('may share a field that joins columns', () => {
    expect(mapColumn(columns({ Street: 'address', Unit: null }), 'Unit', 'address')).toEqual(
      columns({ Street: 'address', Unit: 'address' }),
    )
  })

  it('can be left out again', () => {
    expect(mapColumn(columns({ Cell: 'phone' }), 'Cell', null)).toEqual(columns({ Cell: null }))
  })

  it('contain the name as a full name, or as first and last name', () => {
    expect(hasNames(columns({ A: 'fullName' }))).toBe(true)
    expect(hasNames(columns({ A: 'firstName', B: 'lastName' }))).toBe(true)
    expect(hasNames(columns({ A: 'firstName', B: 'email' }))).toBe(false)
  })
})

describe('an ambiguous date', () => {
  it('is shown in both readings', () => {
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

it('summarizes an import in one line', () => {
  const counts = { total: 1312, done: 1312, created: 1, skipped: 94, removed: 0, kept: 0 }
  const times = { startedAt: '2026-11-21T10:00:00.000Z', finishedAt: null }
  const importId = '0190a1b2-3c4d-7e5f-8a6b-7c8d9e0f1a2b' as never
  expect(summarizeImport({ importId, state: 'done', ...counts, ...times })).toBe(
    '1 patient added, 94 duplicates, 1,217 left out',
  )
  expect(summarizeImport({ importId, state: 'undone', ...counts, removed: 1186, kept: 3, ...times })).toBe(
    '1,186 patients removed, 3 kept',
  )
  expect(summarizeImport({ importId, state: 'running', ...counts, ...times })).toBe('1,312 rows')
  expect(summarizeImport({ importId, state: 'failed', ...counts, done: 250, ...times })).toBe(
    '1 patient added, 250 of 1,312 rows processed',
  )
})

describe('a file with more patients than the plan has room for', () => {
  it('is reported only when it exceeds the plan', () => {
    expect([describePlanShortage(500, null), describePlanShortage(500, 500), describePlanShortage(0, 0)]).toEqual([
      null,
      null,
      null,
    ])
  })

  it('is described with the number of patients that fit and that are left out', () => {
    expect(describePlanShortage(5, 4)).toEqual({
      title: 'Your plan has room for 4 more patients',
      hint: 'The first 4 of the file will be added. 1 will be left out; the report lists it.',
    })
    expect(describePlanShortage(2_001, 1)?.title).toBe('Your plan has room for 1 more patient')
    expect(describePlanShortage(2_001, 1)?.hint).toContain('2,000 will be left out')
    expect(describePlanShortage(3, 0)?.title).toBe('Your plan is full')
  })
})

const answers = (includeDuplicates: boolean, ...addedRows: number[]) => ({
  includeDuplicates,
  addedRows: new Set(addedRows),
})

describe('the rows that will be added', () => {
  it('are the new ones, those that the user says are others, and all duplicates on request', () => {
    const statuses = ['new', 'duplicate', 'question', 'question', 'invalid'] as const
    const added = (given: ReturnType<typeof answers>) =>
      statuses.flatMap((status, index) => (isAdded({ status, row: index + 2 }, given) ? index + 2 : []))
    expect(added(answers(false))).toEqual([2])
    expect(added(answers(false, 5, 6))).toEqual([2, 5])
    expect(added(answers(true))).toEqual([2, 3, 4, 5])
    const preview = { new: 1, duplicate: 1, question: 2, invalid: 1 } as ImportPreview
    expect(countAdded(preview, answers(false, 5))).toBe(2)
    expect(countAdded(preview, answers(true))).toBe(4)
  })
})

describe('the rows that exceed the limit of the plan', () => {
  const row = (number: number, status: 'new' | 'duplicate' | 'invalid') => ({
    row: number,
    status,
    reasons: [],
    patient: {} as never,
  })
  const rows = [row(2, 'new'), row(3, 'invalid'), row(4, 'duplicate'), row(5, 'new'), row(6, 'new')]

  it('are the last importable ones', () => {
    expect([...findRowsOverLimit({ rows, remainingPatients: 2 }, answers(false))]).toEqual([6])
    expect([...findRowsOverLimit({ rows, remainingPatients: 2 }, answers(true))]).toEqual([5, 6])
    expect([...findRowsOverLimit({ rows, remainingPatients: 0 }, answers(false))]).toEqual([2, 5, 6])
  })

  it('do not exist in a plan without a limit', () => {
    expect([...findRowsOverLimit({ rows, remainingPatients: null }, answers(true))]).toEqual([])
  })
})
