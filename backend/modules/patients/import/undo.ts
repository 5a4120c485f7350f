import type { PatientId, PracticeId } from '#contracts/values/ids.ts'
import { CommandRejected } from '#eventstore/command-bus.ts'
import type { Position } from '#eventstore/event.ts'
import { patientDecider } from '#modules/patients/decider.ts'
import { atOnce } from './at-once.ts'
import { inFlight, laterOf, patientOfRow, untilListed, type Work } from './carry-out.ts'
import { importDecider } from './decider.ts'
import { broughtBy, forgetFile } from './queries.ts'

type Outcome = 'removed' | 'kept' | 'gone'

const chunk = 500

/**
 * Takes back the patients of an import that nobody has touched since. Starts anew after an interruption: who was taken
 * back before is recognised and counted again, so that the numbers at the end are right.
 */
export async function takeBack(work: Work): Promise<void> {
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
        dontWait: true,
      })
      newest = laterOf(newest, position)
      return 'removed'
    } catch (error) {
      if (!(error instanceof CommandRejected)) throw error
      // Worked on since: stays. Deleted by hand: there is nothing to take back or to keep.
      return error.rejection.rejected === 'touched' ? 'kept' : 'gone'
    }
  }

  for (const { from, to } of state.created)
    for (let start = from; start <= to; start += chunk) {
      const rows = Array.from({ length: Math.min(chunk, to - start + 1) }, (_, index) => start + index)
      for (const outcome of await atOnce(rows, inFlight, (row) => remove(patientOfRow(importId, row))))
        counts[outcome]++
    }
  if (state.done < state.total) {
    // It was given up in the middle: there may be patients of rows whose progress was never told.
    await untilListed(work, null)
    const told = new Set(rowsOf(state.created).map((row) => patientOfRow(importId, row)))
    const untold = (await broughtBy(services.pool, importId)).filter((patientId) => !told.has(patientId))
    for (const outcome of await atOnce(untold, inFlight, remove)) counts[outcome]++
  }
  await untilListed(work, newest)
  const { removed, kept } = counts
  await services.bus.execute(importDecider, importId, { type: 'FinishUndo', removed, kept }, context, {
    idempotencyKey: `${importId}:undone`,
  })
  await forgetFile(services.pool, importId)
}

const rowsOf = (runs: Work['state']['created']) =>
  runs.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, index) => from + index))
