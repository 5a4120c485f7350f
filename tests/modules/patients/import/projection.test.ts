import { expect, test } from 'vitest'
import type { ImportEvent } from '#modules/patients/import/events.ts'
import { type ImportRow, patientImportNotes, patientImports } from '#modules/patients/import/projection.ts'
import { applyEvent, type Rows } from '#projections/projection.ts'
import { recordedEvent } from '#tests/support/events.ts'

const importId = '6b1f0f52-6f0e-4b8a-9a3f-0a1b2c3d4e5f'
const practiceId = '0f6f7a52-1b2c-4d3e-8f4a-5b6c7d8e9f00'
const asked = { importId, practiceId, total: 5, columns: [], dateFormat: 'iso' as const, includeDuplicates: true }
const skipped = { row: 4, reasons: ['Same phone number as row 2'] }
const failed = { row: 6, reasons: ['Last name is missing'] }

const history: ImportEvent[] = [
  { type: 'ImportRequested', data: asked },
  {
    type: 'ImportProgressed',
    data: { importId, done: 3, created: [{ from: 2, to: 3 }], skipped: [skipped], failed: [] },
  },
  {
    type: 'ImportProgressed',
    data: { importId, done: 5, created: [{ from: 5, to: 5 }], skipped: [], failed: [failed] },
  },
  { type: 'ImportFinished', data: { importId } },
  { type: 'ImportUndoRequested', data: { importId } },
  { type: 'ImportUndone', data: { importId, removed: 2, kept: 1 } },
]

/** The row after the first so many events, each a minute after the one before. */
function rowAfter(count: number): ImportRow | null | undefined {
  const rows: Rows = new Map()
  history.slice(0, count).forEach((event, index) => {
    const at = `2026-11-20T08:0${index}:00.000Z`
    applyEvent(patientImports, rows, recordedEvent(event, { revision: index, metadata: { at } }))
  })
  return rows.get(importId) as ImportRow | null | undefined
}

const queued = {
  import_id: importId,
  practice_id: practiceId,
  state: 'queued',
  failed_while: null,
  total: 5,
  done: 0,
  created: 0,
  skipped: 0,
  failed: 0,
  removed: 0,
  kept: 0,
  started_at: '2026-11-20T08:00:00.000Z',
  finished_at: null,
}
const halfway = { ...queued, state: 'running', done: 3, created: 2, skipped: 1 }
const allLookedAt = { ...halfway, done: 5, created: 3, failed: 1 }
const done = { ...allLookedAt, state: 'done', finished_at: '2026-11-20T08:03:00.000Z' }

test.each([
  [1, queued],
  [2, halfway],
  [3, allLookedAt],
  [4, done],
  [5, { ...done, state: 'undoing' }],
  [6, { ...done, state: 'undone', removed: 2, kept: 1 }],
])('the row after %i events', (count, row) => {
  expect(rowAfter(count)).toEqual(row)
  expect(Object.keys(rowAfter(count) ?? {}).toSorted()).toEqual(Object.keys(patientImports.columns).toSorted())
})

test('one that was given up says so, and what it was about, until it is tried again or taken back', () => {
  const after = (...events: ImportEvent[]) => {
    const rows: Rows = new Map()
    events.forEach((event, revision) => applyEvent(patientImports, rows, recordedEvent(event, { revision })))
    const { state, failed_while: failedWhile } = rows.get(importId) as ImportRow
    return [state, failedWhile]
  }
  const givenUp: ImportEvent = { type: 'ImportGivenUp', data: { importId, reason: 'no-more-tries' } }
  const resumed: ImportEvent = { type: 'ImportResumed', data: { importId } }
  const undoRequested: ImportEvent = { type: 'ImportUndoRequested', data: { importId } }
  expect(after(...history.slice(0, 1), givenUp)).toEqual(['failed', 'running'])
  expect(after(...history.slice(0, 2), givenUp, resumed)).toEqual(['running', null])
  expect(after(...history.slice(0, 2), givenUp, undoRequested)).toEqual(['undoing', null])
  expect(after(...history.slice(0, 5), givenUp)).toEqual(['failed', 'undoing'])
  expect(after(...history.slice(0, 5), givenUp, resumed)).toEqual(['undoing', null])
})

test('the rows without a patient are kept per progress, apart from the numbers', () => {
  const rows: Rows = new Map()
  for (const [revision, event] of history.entries())
    applyEvent(patientImportNotes, rows, recordedEvent(event, { revision }))
  expect([...rows.values()]).toEqual([
    {
      id: `${importId}:3`,
      import_id: importId,
      done: 3,
      rows: 1,
      skipped_rows: [skipped],
      failed_rows: null,
      left_out_columns: null,
    },
    {
      id: `${importId}:5`,
      import_id: importId,
      done: 5,
      rows: 1,
      skipped_rows: null,
      failed_rows: [failed],
      left_out_columns: null,
    },
  ])
  const clean = { importId, done: 8, created: [{ from: 7, to: 9 }], skipped: [], failed: [] }
  applyEvent(patientImportNotes, rows, recordedEvent({ type: 'ImportProgressed', data: clean }, { revision: 6 }))
  expect(rows.get(`${importId}:8`)).toBeNull()
})
