import { z } from 'zod'
import type { ImportId } from '#contracts/values/ids.ts'
import type { JobContext } from '#jobs/job.ts'
import { defineJob, type Services } from '#modules/module.ts'
import { runImport, fileMissing, type ImportRun } from './run-import.ts'
import { importDecider } from './decider.ts'
import { withPracticeLock } from './practice-lock.ts'
import { importJob } from './process-manager.ts'
import { deleteImportFile, findOldImportFiles } from './queries.ts'
import { runUndo } from './undo-import.ts'

/** Runs or undoes an import, depending on its state. */
export const runImports = defineJob({
  name: importJob,
  data: z.strictObject({ importId: z.uuid() }),
  retry: { limit: 20, maxDelaySeconds: 60 },
  expireSeconds: 4 * 3_600,
  concurrency: 2,
  run: (services, data, context) => continueOrCleanUp(services, data.importId as ImportId, context),
  onDeadLetter: (services, data, { error }) => markFailed(services, data.importId as ImportId, error),
})

/** Deletes files that no import needs anymore: they contain names and health data. */
export const deleteOldFiles = defineJob({
  name: 'forget-import-files',
  data: z.strictObject({}),
  schedule: '17 * * * *',
  async run(services) {
    for (const { importId, days } of await findOldImportFiles(services.pool)) {
      const { state } = await services.bus.load(importDecider, importId)
      const isNeeded = state.state === 'running' || state.state === 'undoing'
      const mayBeNeeded = state.state === 'failed' && days < retentionDays
      if (!isNeeded && !mayBeNeeded) await deleteImportFile(services.pool, importId)
    }
  },
})

/** Days during which the file of a failed import is kept for a retry by a user. */
const retentionDays = 7

async function continueOrCleanUp(services: Services, importId: ImportId, context: JobContext): Promise<void> {
  const { state } = await loadImport(services, importId)
  if (state.state === 'none') return
  if (state.state === 'done' || state.state === 'undone') return deleteImportFile(services.pool, importId)
  const outcome = await withPracticeLock(services.pool, state.practiceId, () =>
    continueImport(services, importId, context.signal),
  )
  // Another import of the practice is running, possibly this one in another instance: retry in a second.
  if (outcome === 'busy') await services.jobs.send(importJob, { importId }, { delaySeconds: 1 })
}

/** Continues an import from its stored state, which another instance may have changed before the lock was acquired. */
async function continueImport(services: Services, importId: ImportId, signal: AbortSignal): Promise<void> {
  const { state, requestEvent } = await loadImport(services, importId)
  if (state.state === 'none' || !requestEvent) return
  const { practiceId, actor, correlationId, at, sample } = requestEvent.metadata
  const context = { practiceId, actor, correlationId, causationId: requestEvent.id, sample }
  if (state.state === 'failed') {
    // An operator retried the job. The job that this event requests then does nothing.
    await services.bus.execute(importDecider, importId, { type: 'Resume' }, { ...context, actor: importActor })
    return await continueImport(services, importId, signal)
  }
  const work: ImportRun = {
    services,
    importId,
    state,
    context,
    requestedAt: new Date(at),
    throwIfAborted: () => signal.throwIfAborted(),
  }
  if (state.state === 'running') await runImport(work)
  if (state.state === 'undoing') await runUndo(work)
}

const importActor = { kind: 'process', name: importJob } as const

/**
 * Marks an import as failed, so that its screen does not show it as running. Waits for an instance that is working on
 * it.
 */
async function markFailed(services: Services, importId: ImportId, error: string): Promise<void> {
  const reason = error.endsWith(fileMissing) ? fileMissing : 'no-more-tries'
  const { state, requestEvent } = await loadImport(services, importId)
  if (state.state === 'none' || !requestEvent) return
  const { practiceId, correlationId, sample } = requestEvent.metadata
  const context = { practiceId, actor: importActor, correlationId, causationId: requestEvent.id, sample }
  const outcome = await withPracticeLock(services.pool, state.practiceId, async () => {
    await services.bus.execute(importDecider, importId, { type: 'GiveUp', reason }, context)
  })
  if (outcome === 'busy') throw new Error('Another import of the practice is running')
}

/** Loads the state of an import and the event that requested the current operation. */
async function loadImport({ bus }: Services, importId: ImportId) {
  const { state, history } = await bus.load(importDecider, importId)
  const requestEvent = history.findLast(({ type }) => type === 'ImportRequested' || type === 'ImportUndoRequested')
  return { state, requestEvent }
}
