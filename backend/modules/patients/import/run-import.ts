import { setTimeout as sleep } from 'node:timers/promises'
import type { ImportId, PatientId, PracticeId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command.ts'
import { CommandRejected, AppendTooLarge } from '#eventstore/command-errors.ts'
import { deriveId } from '#eventstore/derive-id.ts'
import type { Position } from '#eventstore/event.ts'
import { NonRetryableError } from '#jobs/job.ts'
import type { Services } from '#modules/module.ts'
import { patientDecider } from '#modules/patients/decider.ts'
import { planLimitLock, findPlanCapacity } from '#modules/patients/plan-limit.ts'
import { findPracticeLocale } from '#modules/patients/practice-locale.ts'
import { withAdvisoryLocks } from '#database/advisory-locks.ts'
import { mapConcurrent } from './map-concurrent.ts'
import { importDecider, type ImportState } from './decider.ts'
import type { ImportProgressed } from './events.ts'
import { type ClassifiedRow, classifyRows } from './classify-rows.ts'
import { applyPlanLimit } from './apply-plan-limit.ts'
import { areCaughtUp, readImportFile, deleteImportFile, findExistingKeys } from './queries.ts'

/** The failure reason when the file of an import is missing. */
export const fileMissing = 'file-gone'

/** The number of rows per progress event. */
const chunk = 250
/** Maximum number of patients that are written concurrently. */
export const maxConcurrentWrites = 32

type Progress = Omit<ImportProgressed['data'], 'importId'>
type Outcome = { row: number; status: 'created' | 'skipped' | 'failed'; reasons: string[]; position: string | null }

/** The context of an import or its undo. `throwIfAborted` throws when the process is stopping. */
export type ImportRun = {
  services: Services
  importId: ImportId
  state: Exclude<ImportState, { state: 'none' }>
  /** The context of the user who requested it. */
  context: CommandContext
  requestedAt: Date
  throwIfAborted: () => void
}

/** Returns the id of the patient of a row: the same in every attempt, so that a row creates at most one patient. */
export const patientIdForRow = (importId: string, row: number): PatientId => deriveId(`${importId}:${row}`) as PatientId

/**
 * Continues an import from its last progress. Work that was done after that progress is recognized by its ids: no row
 * is lost or counted twice.
 */
export async function runImport(work: ImportRun): Promise<void> {
  const { services, importId, state, context, requestedAt } = work
  const csv = await readImportFile(services, importId)
  if (csv === null) throw new NonRetryableError(fileMissing)
  const practiceId = state.practiceId as PracticeId
  // The date of the request, so that every attempt classifies each row in the same way.
  const { today, country } = await findPracticeLocale(services.db, practiceId, requestedAt)
  const isLimited = (await findPlanCapacity(services.db, practiceId)) !== null
  // Small chunks when there is a limit, because users who add a patient wait for the lock.
  const chunks = classifyRows(csv, {
    ...state,
    addedRows: new Set(state.addedRows),
    today,
    country,
    after: state.done,
    chunk: isLimited ? maxConcurrentWrites : chunk,
    findExisting: (keys) => findExistingKeys(services.pool, practiceId, importId, keys),
  })
  const withLocks = withAdvisoryLocks(services.pool, 1)
  // Patients that are written but not counted yet would leave capacity that does not exist.
  if (isLimited) await waitForPatientReadModels(work, null)
  let { done } = state
  let lastPosition: Position | null = null

  async function importChunk(classified: readonly ClassifiedRow[]): Promise<Outcome[]> {
    // An earlier attempt, possibly without a limit, may have written these rows without recording progress.
    const mayExist = done < state.done + chunk
    const capacity = await findPlanCapacity(services.db, practiceId)
    const rows = await applyPlanLimit(
      capacity,
      classified,
      async (row) => mayExist && (await isImported(services, importId, row)),
    )
    const newPatientIds = rows.filter(({ status }) => status === 'new').map(({ row }) => patientIdForRow(importId, row))
    // All keys at once, because each alone would wait for the disk. Not when a patient may exist already and have been
    // erased since.
    if (newPatientIds.length > 0 && !mayExist) await services.keyStore.getOrCreateMany(newPatientIds)
    const outcomes = await mapConcurrent(rows, maxConcurrentWrites, async (classified) => {
      work.throwIfAborted()
      return importSingleRow(work, classified, today, mayExist)
    })
    for (const { position } of outcomes) lastPosition = laterPosition(lastPosition, position)
    if (capacity && newPatientIds.length > 0) await waitForPatientReadModels(work, lastPosition)
    return outcomes
  }

  for await (const classified of chunks) {
    work.throwIfAborted()
    const run = () => importChunk(classified)
    const outcomes = isLimited ? await withLocks([planLimitLock(practiceId)], run) : await run()
    done += outcomes.length
    const progress = { type: 'Progress' as const, ...createProgress(done, outcomes) }
    const idempotencyKey = `${importId}:progress:${done}`
    await services.bus.execute(importDecider, importId, progress, context, { idempotencyKey, consistency: 'eventual' })
  }

  await waitForPatientReadModels(work, lastPosition)
  await services.bus.execute(importDecider, importId, { type: 'Finish' }, context, {
    idempotencyKey: `${importId}:finish`,
  })
  await deleteImportFile(services.pool, importId)
}

/** Returns whether an earlier attempt created the patient of a row. */
const isImported = async ({ bus }: Services, importId: string, row: number) =>
  (await bus.load(patientDecider, patientIdForRow(importId, row))).revision !== 'no-stream'

/**
 * Creates the patient of a row or returns why not. `mayExist`: an earlier attempt may have stopped in the middle.
 */
async function importSingleRow(
  work: ImportRun,
  classified: ClassifiedRow,
  today: string,
  mayExist: boolean,
): Promise<Outcome> {
  const { services, importId, state, context } = work
  const { row, status, reasons, patientFields } = classified
  const patientId = patientIdForRow(importId, row)
  if (status === 'invalid' || !patientFields) return { row, status: 'failed', reasons, position: null }
  if (status === 'duplicate' || status === 'question') {
    const wasCreated = mayExist && (await isImported(services, importId, row))
    return { row, status: wasCreated ? 'created' : 'skipped', reasons, position: null }
  }
  const practiceId = state.practiceId as PracticeId
  const register = { type: 'Register', patientId, practiceId, patient: patientFields, today, importId } as const
  try {
    const { position } = await services.bus.execute(
      patientDecider,
      patientId,
      { ...register, importRow: row },
      context,
      { idempotencyKey: importId, consistency: 'eventual' },
    )
    return { row, status: 'created', reasons: [], position }
  } catch (error) {
    // An earlier attempt created the patient, who has been removed since.
    if (error instanceof CommandRejected && error.rejection.rejected === 'already-registered')
      return { row, status: 'created', reasons: [], position: null }
    if (error instanceof CommandRejected)
      return { row, status: 'failed', reasons: [error.rejection.message], position: null }
    if (error instanceof AppendTooLarge)
      return { row, status: 'failed', reasons: ['The row contains more than a record can hold'], position: null }
    throw error
  }
}

function createProgress(done: number, outcomes: readonly Outcome[]): Progress {
  const notes = (wanted: Outcome['status']) =>
    outcomes.filter(({ status }) => status === wanted).map(({ row, reasons }) => ({ row, reasons }))
  const created: Progress['created'] = []
  for (const { row } of notes('created')) {
    const last = created.at(-1)
    if (last && last.to === row - 1) last.to = row
    else created.push({ from: row, to: row })
  }
  return { done, created, skipped: notes('skipped'), failed: notes('failed') }
}

/** Returns the later of two positions. */
export const laterPosition = (one: Position | null, other: Position | null): Position | null =>
  one === null || (other !== null && other > one) ? other : one

const maxWaitMs = 10 * 60_000

/**
 * Resolves when lists and search have reached a position, or the current head. After thousands of patients this takes
 * longer than the command bus waits.
 */
export async function waitForPatientReadModels(
  { services, throwIfAborted }: ImportRun,
  position: Position | null,
): Promise<void> {
  const target = position ?? (await services.store.head())
  const end = Date.now() + maxWaitMs
  if (target === null) return
  while (!(await areCaughtUp(services.pool, target))) {
    throwIfAborted()
    if (Date.now() > end) throw new Error('The read models are far behind')
    await sleep(50)
  }
}
