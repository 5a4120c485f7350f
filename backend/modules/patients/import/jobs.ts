import type { Job } from 'pg-boss'
import type { ImportId } from '#contracts/values/ids.ts'
import type { Recorded } from '#eventstore/event.ts'
import type { Services } from '#modules/module.ts'
import { carryOut, type Work } from './carry-out.ts'
import { importDecider, type ImportState } from './decider.ts'
import type { ImportEvent } from './events.ts'
import { withPracticeLock } from './practice-lock.ts'
import { forgetFile, forgetOldFile, unfinishedImports } from './queries.ts'
import { enqueue, type ImportJob, importQueue } from './queue.ts'
import { takeBack } from './undo.ts'

/** Thrown by a job to end early because the process stops; the next start carries on. */
class Interrupted extends Error {}

/** Seconds after which a file that belongs to no import is looked at again. */
const lookAgain = 15 * 60

/** Starts the workers of this copy, and carries on what was under way when the last one ended. */
export async function startImportJobs(services: Services): Promise<void> {
  const { jobs } = services
  await jobs.createQueue(importQueue, {
    expireInSeconds: 4 * 3_600,
    heartbeatSeconds: 30,
    retryLimit: 50,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: 60,
    deleteAfterSeconds: 3_600,
  })
  for (const importId of await unfinishedImports(services.pool)) await enqueue(jobs, importId)
  await jobs.work<ImportJob>(importQueue, { localConcurrency: 2, pollingIntervalSeconds: 0.5 }, async ([job]) => {
    if (job) await workOn(services, job).catch((error: unknown) => failed(services, job, error))
  })
}

async function workOn(services: Services, job: Job<ImportJob>): Promise<void> {
  const importId = job.data.importId as ImportId
  const { state } = await storyOf(services, importId)
  if (state.state === 'none') {
    if (await forgetOldFile(services.pool, importId)) await enqueue(services.jobs, importId, lookAgain)
    return
  }
  if (state.state !== 'running' && state.state !== 'undoing') return forgetFile(services.pool, importId)
  const outcome = await withPracticeLock(services.pool, state.practiceId, () => carryOn(services, importId, job))
  // Another import of the practice is at work, perhaps this very one in another copy: look again in a moment.
  if (outcome === 'busy') await enqueue(services.jobs, importId, 1)
}

/** Has the job tried again. Only the kind of error is kept: its text may hold what stands in a row. */
function failed({ logger }: Services, { data: { importId } }: Job<ImportJob>, error: unknown): never {
  const { name, code = '' } = error as Error & { code?: string }
  if (!(error instanceof Interrupted)) logger.error({ importId, kind: `${name} ${code}`.trim() }, 'import failed')
  throw new Error('The import is tried again')
}

/** Under the lock, from what the record says now: another copy may have done it meanwhile. */
async function carryOn(services: Services, importId: ImportId, job: Job<ImportJob>): Promise<void> {
  const { state, asked } = await storyOf(services, importId)
  if (state.state === 'none' || !asked) return
  const { practiceId, actor, correlationId, at, sample } = asked.metadata
  const work: Work = {
    services,
    importId,
    state,
    context: { practiceId, actor, correlationId, causationId: asked.id, sample },
    askedAt: new Date(at),
    interrupted: () => {
      if (job.signal.aborted || isStopping(services)) throw new Interrupted('The process stops')
    },
  }
  if (state.state === 'running') await carryOut(work)
  if (state.state === 'undoing') await takeBack(work)
}

/** The signal of a job comes when the patience of a stop is over; an import can end at once. */
const isStopping = ({ jobs }: Services) => jobs.getWipData().some(({ state }) => state === 'stopping')

/** Where an import stands, and the fact that somebody asked for what is under way. */
async function storyOf(services: Services, importId: ImportId) {
  let state: ImportState = importDecider.initial
  let asked: Recorded<ImportEvent> | undefined
  for await (const recorded of services.store.read(`${importDecider.category}-${importId}`)) {
    const event = recorded as Recorded<ImportEvent>
    state = importDecider.evolve(state, event)
    if (event.type === 'ImportRequested' || event.type === 'ImportUndoRequested') asked = event
  }
  return { state, asked }
}
