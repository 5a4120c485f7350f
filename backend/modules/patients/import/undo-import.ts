import type { PatientId, PracticeId } from '#contracts/values/ids.ts'
import { CommandRejected } from '#eventstore/command-errors.ts'
import type { Position } from '#eventstore/event.ts'
import { patientDecider } from '#modules/patients/decider.ts'
import { mapConcurrent } from './map-concurrent.ts'
import {
  maxConcurrentWrites,
  laterPosition,
  patientIdForRow,
  waitForPatientReadModels,
  type ImportRun,
} from './run-import.ts'
import { importDecider } from './decider.ts'
import { findImportedPatients, deleteImportFile } from './queries.ts'

type Outcome = 'removed' | 'kept' | 'gone'

const chunk = 500

/**
 * Removes the patients of an import that were not edited since. Starts from the beginning after an interruption:
 * patients removed before are recognized and counted again, so that the final numbers are right.
 */
export async function runUndo(work: ImportRun): Promise<void> {
  const { services, importId, state, context } = work
  const practiceId = state.practiceId as PracticeId
  const counts: Record<Outcome, number> = { removed: 0, kept: 0, gone: 0 }
  let lastPosition: Position | null = null

  const remove = async (patientId: PatientId): Promise<Outcome> => {
    work.throwIfAborted()
    const command = { type: 'Remove', practiceId, reason: 'import-undone', importId } as const
    try {
      const { position } = await services.bus.execute(patientDecider, patientId, command, context, {
        idempotencyKey: `${importId}:undo`,
        consistency: 'eventual',
      })
      lastPosition = laterPosition(lastPosition, position)
      return 'removed'
    } catch (error) {
      if (!(error instanceof CommandRejected)) throw error
      // Edited since: kept. Deleted by a user: gone.
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
    // The import failed in the middle: there may be patients of rows whose progress was not recorded.
    await waitForPatientReadModels(work, null)
    const recorded = new Set(expandRuns(state.created).map((row) => patientIdForRow(importId, row)))
    const unrecorded = (await findImportedPatients(services.pool, importId)).filter(
      (patientId) => !recorded.has(patientId),
    )
    for (const outcome of await mapConcurrent(unrecorded, maxConcurrentWrites, remove)) counts[outcome]++
  }
  await waitForPatientReadModels(work, lastPosition)
  const { removed, kept } = counts
  await services.bus.execute(importDecider, importId, { type: 'FinishUndo', removed, kept }, context, {
    idempotencyKey: `${importId}:undone`,
  })
  await deleteImportFile(services.pool, importId)
}

const expandRuns = (runs: ImportRun['state']['created']) =>
  runs.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, index) => from + index))
