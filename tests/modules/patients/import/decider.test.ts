import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fold, isRejection } from '#eventstore/decider.ts'
import { importDecider, type ImportCommand, type ImportState } from '#modules/patients/import/decider.ts'
import type { ImportEvent, ImportProgressed } from '#modules/patients/import/events.ts'
import { deciderSpec } from '#tests/support/decider-spec.ts'

const given = deciderSpec(importDecider)

const importId = '6b1f0f52-6f0e-4b8a-9a3f-0a1b2c3d4e5f'
const practiceId = '0f6f7a52-1b2c-4d3e-8f4a-5b6c7d8e9f00'
const asked = {
  importId,
  practiceId,
  total: 5,
  columns: ['firstName' as const, 'lastName' as const, null],
  dateFormat: 'iso' as const,
  includeDuplicates: false,
}
const note = (row: number) => ({ row, reasons: ['Last name is missing'] })
const request: ImportCommand = { type: 'Request', ...asked }
const requested: ImportEvent = { type: 'ImportRequested', data: asked }
type Rows = Omit<ImportProgressed['data'], 'importId'>
const firstRows: Rows = { done: 3, created: [{ from: 2, to: 3 }], skipped: [note(4)], failed: [] }
const lastRows: Rows = { done: 5, created: [{ from: 5, to: 5 }], skipped: [], failed: [note(6)] }
const progressed = (rows: Rows): ImportEvent => ({ type: 'ImportProgressed', data: { importId, ...rows } })
const finished: ImportEvent = { type: 'ImportFinished', data: { importId } }
const undoRequested: ImportEvent = { type: 'ImportUndoRequested', data: { importId } }
const undone: ImportEvent = { type: 'ImportUndone', data: { importId, removed: 2, kept: 1 } }
const givenUp: ImportEvent = { type: 'ImportGivenUp', data: { importId, reason: 'no-more-tries' } }
const resumed: ImportEvent = { type: 'ImportResumed', data: { importId } }
const giveUp: ImportCommand = { type: 'GiveUp', reason: 'no-more-tries' }
const everyRow = [requested, progressed(firstRows), progressed(lastRows)]

describe('an import', () => {
  test('is asked for once', () => {
    given().when(request).then(requested)
    given(requested).when(request).thenNothing()
    given(...everyRow, finished)
      .when(request)
      .thenNothing()
  })

  test('goes on row by row', () => {
    given(requested)
      .when({ type: 'Progress', ...firstRows })
      .then(progressed(firstRows))
    given(requested, progressed(firstRows))
      .when({ type: 'Progress', ...lastRows })
      .then(progressed(lastRows))
  })

  test('counts no row twice, however often its progress is recorded', () => {
    given(requested, progressed(firstRows))
      .when({ type: 'Progress', ...firstRows })
      .thenNothing()
    given(...everyRow, finished)
      .when({ type: 'Progress', ...lastRows })
      .thenNothing()
  })

  test('leaves no row out and has no more than the file', () => {
    given(requested)
      .when({ type: 'Progress', ...lastRows })
      .thenRefused('import-progress')
    given(requested)
      .when({ type: 'Progress', done: 6, created: [{ from: 2, to: 7 }], skipped: [], failed: [] })
      .thenRefused('import-progress')
  })

  test('finishes once, after its last row', () => {
    given(...everyRow)
      .when({ type: 'Finish' })
      .then(finished)
    given(...everyRow, finished)
      .when({ type: 'Finish' })
      .thenNothing()
    given(requested, progressed(firstRows)).when({ type: 'Finish' }).thenRefused('import-progress')
  })
})

describe('taking an import back', () => {
  test('is possible once it is finished', () => {
    given(...everyRow, finished)
      .when({ type: 'RequestUndo' })
      .then(undoRequested)
    given(...everyRow)
      .when({ type: 'RequestUndo' })
      .thenRefused('import-running')
    given(requested).when({ type: 'RequestUndo' }).thenRefused('import-running')
  })

  test('happens once', () => {
    given(...everyRow, finished, undoRequested)
      .when({ type: 'RequestUndo' })
      .thenNothing()
    given(...everyRow, finished, undoRequested, undone)
      .when({ type: 'RequestUndo' })
      .thenNothing()
  })

  test('ends with what was taken back and what was kept', () => {
    given(...everyRow, finished, undoRequested)
      .when({ type: 'FinishUndo', removed: 2, kept: 1 })
      .then(undone)
    given(...everyRow, finished, undoRequested, undone)
      .when({ type: 'FinishUndo', removed: 0, kept: 3 })
      .thenNothing()
    given(...everyRow, finished)
      .when({ type: 'FinishUndo', removed: 2, kept: 1 })
      .thenNothing()
  })
})

describe('an import that was given up', () => {
  const failed = [requested, progressed(firstRows), givenUp]

  test('was under way, and is given up once', () => {
    given(requested).when(giveUp).then(givenUp)
    given(...everyRow, finished, undoRequested)
      .when(giveUp)
      .then(givenUp)
    given(...failed)
      .when(giveUp)
      .thenNothing()
    given(...everyRow, finished)
      .when(giveUp)
      .thenNothing()
    given(...everyRow, finished, undoRequested, undone)
      .when(giveUp)
      .thenNothing()
  })

  test('moves no further by itself', () => {
    given(...failed)
      .when({ type: 'Progress', ...lastRows })
      .thenNothing()
    given(...failed)
      .when({ type: 'Finish' })
      .thenNothing()
  })

  test('continues from its last progress when it is resumed', () => {
    given(...failed)
      .when({ type: 'Resume' })
      .then(resumed)
    given(...failed, resumed)
      .when({ type: 'Progress', ...lastRows })
      .then(progressed(lastRows))
    given(...failed, resumed)
      .when({ type: 'Resume' })
      .thenNothing()
    given(...everyRow, finished, undoRequested, givenUp, resumed)
      .when({ type: 'FinishUndo', removed: 2, kept: 1 })
      .then(undone)
  })

  test('can be taken back', () => {
    given(...failed)
      .when({ type: 'RequestUndo' })
      .then(undoRequested)
    given(...failed, undoRequested)
      .when({ type: 'FinishUndo', removed: 2, kept: 1 })
      .then(undone)
  })
})

test('refuses every command for an import that was not requested', () => {
  const others: ImportCommand[] = [
    { type: 'Progress', ...firstRows },
    { type: 'Finish' },
    { type: 'RequestUndo' },
    { type: 'FinishUndo', removed: 0, kept: 0 },
    giveUp,
    { type: 'Resume' },
  ]
  for (const command of others) given().when(command).thenRefused('unknown-import')
})

test('the rows that became patients are remembered as runs: neighbours are one', () => {
  const rows = {
    done: 4,
    created: [
      { from: 4, to: 5 },
      { from: 9, to: 9 },
    ],
    skipped: [],
    failed: [],
  }
  const state = fold(importDecider, [requested, progressed({ ...firstRows, done: 1 }), progressed(rows)])
  expect(state).toMatchObject({
    created: [
      { from: 2, to: 5 },
      { from: 9, to: 9 },
    ],
  })
})

/** Any chunk of rows after the ones before, each row created, skipped or failed. */
const chunks = fc.array(fc.array(fc.constantFrom('created', 'skipped', 'failed'), { minLength: 1, maxLength: 9 }), {
  minLength: 1,
  maxLength: 8,
})

test('whatever comes twice or out of turn, every row counts once and the end comes last', () => {
  fc.assert(
    fc.property(chunks, fc.array(fc.nat({ max: 7 }), { minLength: 3, maxLength: 12 }), (parts, picks) => {
      const total = parts.flat().length
      let done = 0
      const progress = parts.map((outcomes): ImportCommand => {
        const rows = outcomes.map((outcome, index) => ({ outcome, row: done + index + 2 }))
        done += outcomes.length
        const notes = (wanted: string) => rows.filter(({ outcome }) => outcome === wanted).map(({ row }) => note(row))
        const created = rows.filter(({ outcome }) => outcome === 'created').map(({ row }) => ({ from: row, to: row }))
        return { type: 'Progress', done, created, skipped: notes('skipped'), failed: notes('failed') }
      })
      const others: ImportCommand[] = [
        { type: 'Finish' },
        { type: 'RequestUndo' },
        { type: 'Request', ...asked, total },
      ]
      let state: ImportState = importDecider.initial
      const history: ImportEvent[] = []
      const give = (command: ImportCommand) => {
        const decision = importDecider.decide(command, state)
        if (isRejection(decision)) return
        history.push(...decision)
        state = fold({ initial: state, evolve: importDecider.evolve }, decision)
      }
      give({ type: 'Request', ...asked, total })
      for (const command of progress) {
        const extra = [...progress, ...others]
        for (const pick of picks) give(extra[pick % extra.length] as ImportCommand)
        give(command)
      }
      give({ type: 'Finish' })
      const told = history.flatMap(({ type, data }) => (type === 'ImportProgressed' ? [data] : []))
      const rows = told.flatMap(({ created, skipped, failed }) => [
        ...created.map(({ from }) => from),
        ...[...skipped, ...failed].map(({ row }) => row),
      ])
      expect(rows.toSorted((a, b) => a - b)).toEqual(Array.from({ length: total }, (_, index) => index + 2))
      expect(history.filter(({ type }) => type === 'ImportFinished')).toHaveLength(1)
      expect(fold(importDecider, history)).toEqual(state)
    }),
    { numRuns: 100 },
  )
})
