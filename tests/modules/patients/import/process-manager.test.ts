import { expect, test } from 'vitest'
import type { ImportEvent } from '#modules/patients/import/events.ts'
import { importJob, scheduleImports } from '#modules/patients/import/process-manager.ts'
import { getJobRequests } from '#process-managers/process-manager.ts'
import { recordedEvent } from '#tests/support/events.ts'

const importId = '6b1f0f52-6f0e-4b8a-9a3f-0a1b2c3d4e5f'
const jobsOf = (event: ImportEvent) => getJobRequests(scheduleImports, recordedEvent(event))

test.each(['ImportUndoRequested', 'ImportResumed'] as const)('%s has the import worked on, at once', (type) => {
  expect(jobsOf({ type, data: { importId } })).toEqual([{ job: importJob, data: { importId } }])
})

test('what was asked for is carried out by its id alone: neither columns nor counts go along', () => {
  const asked = {
    importId,
    practiceId: '0f6f7a52-1b2c-4d3e-8f4a-5b6c7d8e9f00',
    total: 5,
    columns: ['firstName' as const, null],
    dateFormat: 'iso' as const,
    includeDuplicates: false,
  }
  expect(jobsOf({ type: 'ImportRequested', data: asked })).toEqual([{ job: importJob, data: { importId } }])
})

test('what is done or given up asks for nothing more', () => {
  expect(jobsOf({ type: 'ImportFinished', data: { importId } })).toEqual([])
  expect(jobsOf({ type: 'ImportGivenUp', data: { importId, reason: 'file-gone' } })).toEqual([])
  expect(jobsOf({ type: 'ImportUndone', data: { importId, removed: 1, kept: 0 } })).toEqual([])
})
