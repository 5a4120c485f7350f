import type { PatientId, PracticeId } from '#contracts/values/ids.ts'
import { CommandRejected } from '#eventstore/command-bus.ts'
import type { Position } from '#eventstore/event.ts'
import { patientDecider } from '#modules/patients/decider.ts'
import { mapConcurrent } from './map-concurrent.ts'
import { maxConcurrentWrites, laterPosition, patientIdForRow, waitForReadModels, type ImportRun } from './run-import.ts'
import { importDecider } from './decider.ts'
import { findImportedPatients, deleteImportFile } from './queries.ts'

type Outcome = 'removed' | 'kept' | 'gone'

const chunk = 500

/**
 * Takes back the patients of an import that nobody has touched since. Starts anew after an interruption: who was taken
 * back before is recognised and counted again, so that the numbers at the end are right.
 */
export async function runUndo(work: ImportRun): Promise<void> {
  const { services, importId, state, context } = work
  const practiceId = state.practiceId as PracticeId
  const counts: Record<Outcome, number> = { removed: 0, kept: 0, gone: 0 }
  let newest: Position | null = null

  const remove = async (patientId: PatientId): Promise<Outcome> => {
    work.interrupted()
    const command = { type: 'Remove', practiceId, reason: 'import-undone', importId } as const
    try {
      const { position } = await services.bus.execute(patientDecider, patientId, command, context, {
        idempotencyKey: `${importId}:undo`,
        consistency: 'eventual',
      })
      newest = laterPosition(newest, position)
      return 'removed'
    } catch (error) {
      if (!(error instanceof CommandRejected)) throw error
      // Worked on since: stays. Deleted by hand: there is nothing to take back or to keep.
      return error.rejection.rejected === 'edited' ? 'kept' : 'gone'
    }
  }

  for (const { from, to } of state.created)
    for (let start = from; start <= to; start += chunk) {
      const rows = Array.from({ length: Math.min(chunk, to - start + 1) }, (_, index) => start + index)
      for (const outcome of await mapConcurrent(rows, maxConcurrentWrites, (row) =>
        remove(patientIdForRow(importId, row)),
      ))
        counts[outcome]++
    }
  if (state.done < state.total) {
    // It was given up in the middle: there may be patients of rows whose progress was never told.
    await waitForReadModels(work, null)
    const told = new Set(rowsOf(state.created).map((row) => patientIdForRow(importId, row)))
    const untold = (await findImportedPatients(services.pool, importId)).filter((patientId) => !told.has(patientId))
    for (const outcome of await mapConcurrent(untold, maxConcurrentWrites, remove)) counts[outcome]++
  }
  await waitForReadModels(work, newest)
  const { removed, kept } = counts
  await services.bus.execute(importDecider, importId, { type: 'FinishUndo', removed, kept }, context, {
    idempotencyKey: `${importId}:undone`,
  })
  await deleteImportFile(services.pool, importId)
}

const rowsOf = (runs: ImportRun['state']['created']) =>
  runs.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, index) => from + index))
