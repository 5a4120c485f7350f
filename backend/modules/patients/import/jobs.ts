import { z } from 'zod'
import type { ImportId } from '#contracts/values/ids.ts'
import type { Recorded } from '#eventstore/event.ts'
import type { JobContext } from '#jobs/job.ts'
import { defineJob, type Services } from '#modules/module.ts'
import { runImport, fileMissing, type ImportRun } from './run-import.ts'
import { importDecider, type ImportState } from './decider.ts'
import type { ImportEvent } from './events.ts'
import { withPracticeLock } from './practice-lock.ts'
import { importJob } from './process-manager.ts'
import { deleteImportFile, findOldImportFiles } from './queries.ts'
import { runUndo } from './undo-import.ts'

/** Carrying an import out, or taking it back: whatever the record says is left to do. */
export const runImports = defineJob({
  name: importJob,
  data: z.strictObject({ importId: z.uuid() }),
  retry: { limit: 20, maxDelaySeconds: 60 },
  expireSeconds: 4 * 3_600,
  concurrency: 2,
  run: (services, data, context) => workOn(services, data.importId as ImportId, context),
  onDeadLetter: (services, data, { error }) => markFailed(services, data.importId as ImportId, error),
})

/** Files hold names and health data, so none stays longer than its import needs it. */
export const deleteOldFiles = defineJob({
  name: 'forget-import-files',
  data: z.strictObject({}),
  schedule: '17 * * * *',
  async run(services) {
    for (const { importId, days } of await findOldImportFiles(services.pool)) {
      const { state } = await services.bus.load(importDecider, importId)
      const needed = state.state === 'running' || state.state === 'undoing'
      const perhapsNeeded = state.state === 'failed' && days < daysToTryAgain
      if (!needed && !perhapsNeeded) await deleteImportFile(services.pool, importId)
    }
  },
})

/** How long a file waits for somebody to try an import again that was given up. */
const daysToTryAgain = 7

async function workOn(services: Services, importId: ImportId, context: JobContext): Promise<void> {
  const { state } = await loadImport(services, importId)
  if (state.state === 'none') return
  if (state.state === 'done' || state.state === 'undone') return deleteImportFile(services.pool, importId)
  const outcome = await withPracticeLock(services.pool, state.practiceId, () =>
    continueImport(services, importId, context.signal),
  )
  // Another import of the practice is at work, perhaps this very one in another copy: look again in a moment.
  if (outcome === 'busy') await services.jobs.send(importJob, { importId }, { delaySeconds: 1 })
}

/** Under the lock, from what the record says now: another copy may have done it meanwhile. */
async function continueImport(services: Services, importId: ImportId, signal: AbortSignal): Promise<void> {
  const { state, asked } = await loadImport(services, importId)
  if (state.state === 'none' || !asked) return
  const { practiceId, actor, correlationId, at, sample } = asked.metadata
  const context = { practiceId, actor, correlationId, causationId: asked.id, sample }
  if (state.state === 'failed') {
    // An operator had the job tried again. What follows from this fact is under way right here, and found done later.
    await services.bus.execute(importDecider, importId, { type: 'Resume' }, { ...context, actor: importActor })
    return await continueImport(services, importId, signal)
  }
  const work: ImportRun = {
    services,
    importId,
    state,
    context,
    askedAt: new Date(at),
    interrupted: () => signal.throwIfAborted(),
  }
  if (state.state === 'running') await runImport(work)
  if (state.state === 'undoing') await runUndo(work)
}

const importActor = { kind: 'process', name: importJob } as const

/** Says so on the screen of the import, instead of running for ever. Somebody who is at it right now is waited for. */
async function markFailed(services: Services, importId: ImportId, error: string): Promise<void> {
  const reason = error.endsWith(fileMissing) ? fileMissing : 'no-more-tries'
  const { state, asked } = await loadImport(services, importId)
  if (state.state === 'none' || !asked) return
  const { practiceId, correlationId, sample } = asked.metadata
  const context = { practiceId, actor: importActor, correlationId, causationId: asked.id, sample }
  const outcome = await withPracticeLock(services.pool, state.practiceId, async () => {
    await services.bus.execute(importDecider, importId, { type: 'GiveUp', reason }, context)
  })
  if (outcome === 'busy') throw new Error('Somebody is at work for the practice')
}

/** Where an import stands, and the fact that somebody asked for what is under way. */
async function loadImport(services: Services, importId: ImportId) {
  let state: ImportState = importDecider.initial
  let asked: Recorded<ImportEvent> | undefined
  for await (const recorded of services.store.read(`${importDecider.category}-${importId}`)) {
    const event = recorded as Recorded<ImportEvent>
    state = importDecider.evolve(state, event)
    if (event.type === 'ImportRequested' || event.type === 'ImportUndoRequested') asked = event
  }
  return { state, asked }
}
