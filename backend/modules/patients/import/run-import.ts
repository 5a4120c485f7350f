import type { ImportId, PatientId, PracticeId } from '#contracts/values/ids.ts'
import { type CommandContext, deriveId, CommandRejected, AppendTooLarge } from '#eventstore/command-bus.ts'
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

/** Why an import cannot go on: the file its rows come from is not there any more. */
export const fileMissing = 'file-gone'

/** Rows that make one progress. */
const chunk = 250
/** Patients that are being written at the same moment. */
export const maxConcurrentWrites = 32

type Progress = Omit<ImportProgressed['data'], 'importId'>
type Outcome = { row: number; became: 'created' | 'skipped' | 'failed'; reasons: string[]; position: string | null }

/** What an import or its undo works with. `interrupted` throws when the process is about to stop. */
export type ImportRun = {
  services: Services
  importId: ImportId
  state: Exclude<ImportState, { state: 'none' }>
  /** In the name of the person who asked. */
  context: CommandContext
  askedAt: Date
  interrupted: () => void
}

/** The id of the patient a row becomes: the same at every try, so that a row becomes one patient at most. */
export const patientIdForRow = (importId: string, row: number): PatientId => deriveId(`${importId}:${row}`) as PatientId

/**
 * Carries an import on from the last progress to its end. Whatever was done after that progress is found again by its
 * ids: no row is lost, none counts twice.
 */
export async function runImport(work: ImportRun): Promise<void> {
  const { services, importId, state, context, askedAt } = work
  const csv = await readImportFile(services, importId)
  if (csv === null) throw new NonRetryableError(fileMissing)
  const practiceId = state.practiceId as PracticeId
  // The day it was asked for, so that a second try judges every row as the first did.
  const { today, country } = await findPracticeLocale(services.db, practiceId, askedAt)
  const limited = (await findPlanCapacity(services.db, practiceId)) !== null
  // Few at a time where there is a limit: whoever adds a patient by hand waits for them.
  const chunks = classifyRows(csv, {
    ...state,
    today,
    country,
    after: state.done,
    chunk: limited ? maxConcurrentWrites : chunk,
    askKnown: (likenesses) => findExistingKeys(services.pool, practiceId, importId, likenesses),
  })
  const inTurn = withAdvisoryLocks(services.pool, 1)
  // What is written and not counted yet would leave room that is not there.
  if (limited) await waitForReadModels(work, null)
  let { done } = state
  let newest: Position | null = null

  async function bring(judged: readonly ClassifiedRow[]): Promise<Outcome[]> {
    // An earlier try, perhaps without a limit, may have got so far without counting it.
    const perhapsThere = done < state.done + chunk
    const room = await findPlanCapacity(services.db, practiceId)
    const rows = await applyPlanLimit(
      room,
      judged,
      async (row) => perhapsThere && (await isThere(services, importId, row)),
    )
    const news = rows.filter(({ status }) => status === 'new').map(({ row }) => patientIdForRow(importId, row))
    // All at once: each alone would have to wait for the disk. Not where somebody may be there, and erased since.
    if (news.length > 0 && !perhapsThere) await services.keyStore.getOrCreateMany(news)
    const outcomes = await mapConcurrent(rows, maxConcurrentWrites, async (judged) => {
      work.interrupted()
      return importSingleRow(work, judged, today, perhapsThere)
    })
    for (const { position } of outcomes) newest = laterPosition(newest, position)
    if (room && news.length > 0) await waitForReadModels(work, newest)
    return outcomes
  }

  for await (const judged of chunks) {
    work.interrupted()
    const run = () => bring(judged)
    const outcomes = limited ? await inTurn([planLimitLock(practiceId)], run) : await run()
    done += outcomes.length
    const progress = { type: 'Progress' as const, ...progressOf(done, outcomes) }
    const idempotencyKey = `${importId}:progress:${done}`
    await services.bus.execute(importDecider, importId, progress, context, { idempotencyKey, consistency: 'eventual' })
  }

  await waitForReadModels(work, newest)
  await services.bus.execute(importDecider, importId, { type: 'Finish' }, context, {
    idempotencyKey: `${importId}:finish`,
  })
  await deleteImportFile(services.pool, importId)
}

/** Whether a row became a patient at an earlier try. */
const isThere = async ({ bus }: Services, importId: string, row: number) =>
  (await bus.load(patientDecider, patientIdForRow(importId, row))).revision !== 'no-stream'

/** Makes a row a patient, or says why it is none. `perhapsThere`: an earlier try may have ended in the middle. */
async function importSingleRow(
  work: ImportRun,
  judged: ClassifiedRow,
  today: string,
  perhapsThere: boolean,
): Promise<Outcome> {
  const { services, importId, state, context } = work
  const { row, status, reasons, patientFields } = judged
  const patientId = patientIdForRow(importId, row)
  if (status === 'invalid' || !patientFields) return { row, became: 'failed', reasons, position: null }
  if (status === 'duplicate') {
    const there = perhapsThere && (await isThere(services, importId, row))
    return { row, became: there ? 'created' : 'skipped', reasons, position: null }
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
    return { row, became: 'created', reasons: [], position }
  } catch (error) {
    // An earlier try brought the patient, and somebody has removed it since.
    if (error instanceof CommandRejected && error.rejection.rejected === 'already-registered')
      return { row, became: 'created', reasons: [], position: null }
    if (error instanceof CommandRejected)
      return { row, became: 'failed', reasons: [error.rejection.message], position: null }
    if (error instanceof AppendTooLarge)
      return { row, became: 'failed', reasons: ['The row holds more than a record can'], position: null }
    throw error
  }
}

function progressOf(done: number, outcomes: readonly Outcome[]): Progress {
  const notes = (wanted: Outcome['became']) =>
    outcomes.filter(({ became }) => became === wanted).map(({ row, reasons }) => ({ row, reasons }))
  const created: Progress['created'] = []
  for (const { row } of notes('created')) {
    const last = created.at(-1)
    if (last && last.to === row - 1) last.to = row
    else created.push({ from: row, to: row })
  }
  return { done, created, skipped: notes('skipped'), failed: notes('failed') }
}

/** The later of two positions. */
export const laterPosition = (one: Position | null, other: Position | null): Position | null =>
  one === null || (other !== null && other > one) ? other : one

const maxWaitMs = 10 * 60_000

/**
 * Resolves when lists and search know what was written up to a position, or up to now. Thousands of patients take the
 * read models longer than the command bus waits for them.
 */
export async function waitForReadModels(
  { services, interrupted }: ImportRun,
  position: Position | null,
): Promise<void> {
  const goal = position ?? (await services.store.head())
  const end = Date.now() + maxWaitMs
  if (goal === null) return
  while (!(await areCaughtUp(services.pool, goal))) {
    interrupted()
    if (Date.now() > end) throw new Error('The read models are far behind')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
