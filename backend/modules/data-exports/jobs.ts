import { addHours } from 'date-fns/addHours'
import { z } from 'zod'
import { dataExportHours } from '#contracts/data-exports.ts'
import { DataExportId, PracticeId } from '#contracts/values/ids.ts'
import { CommandRejected } from '#eventstore/command-errors.ts'
import { followUpRetry } from '#modules/kit/follow-up.ts'
import { defineJob, type Services } from '#modules/module.ts'
import { processContext } from '#modules/kit/process-context.ts'
import { Cause } from '#process-managers/process-manager.ts'
import { tooLarge } from './archive.ts'
import { dataExportsDecider, findExport } from './decider.ts'
import { deleteFile, deleteFiles, deleteOldChunks, deleteOtherFiles } from './file-store.ts'
import { jobNames } from './process-manager.ts'
import { writeExportFile } from './write-file.ts'

const ExportJob = z.strictObject({ exportId: DataExportId, practiceId: PracticeId, cause: Cause })
type ExportJob = z.infer<typeof ExportJob>

/** Writes the file of an export. Each attempt begins with a file of its own; the first that is complete is kept. */
export const writeDataExport = defineJob({
  name: jobNames.write,
  data: ExportJob,
  retry: { limit: 8, maxDelaySeconds: 60 },
  // Leaves most of the time that `deleteOldChunks` adds.
  expireSeconds: 45 * 60,
  run: (services, data, { signal }) => writeOnce(services, data, signal),
  async onDeadLetter(services, { exportId, practiceId, cause }, { error }) {
    const reason = error.endsWith(tooLarge) ? tooLarge : 'no-more-tries'
    const context = processContext(jobNames.write, practiceId, cause)
    const command = { type: 'Fail', exportId, practiceId, reason } as const
    const { state } = await services.bus.execute(dataExportsDecider, practiceId, command, context)
    // The last attempt may have finished after all, or a user may have retried it.
    if (findExport(state, exportId)?.state === 'failed') await deleteFiles(services.pool, exportId)
  },
})

async function writeOnce(services: Services, data: ExportJob, signal: AbortSignal): Promise<void> {
  const { bus, pool, clock, newId } = services
  const { exportId, practiceId, cause } = data
  const context = processContext(jobNames.write, practiceId, cause)
  const subject = { exportId, practiceId }
  const start = { type: 'Start', ...subject } as const
  const started = await bus.execute(dataExportsDecider, practiceId, start, context).catch((error: unknown) => {
    // A retry by an operator, while a later export is written: that one has newer data.
    if (error instanceof CommandRejected) return null
    throw error
  })
  if (!started || findExport(started.state, exportId)?.state !== 'writing') return
  const fileId = newId()
  try {
    const { bytes, counts } = await writeExportFile(services, { ...subject, fileId, signal })
    const expiresAt = addHours(clock(), dataExportHours).toISOString()
    const complete = { type: 'Complete', ...subject, fileId, bytes, counts, expiresAt } as const
    const { state } = await bus.execute(dataExportsDecider, practiceId, complete, context)
    const isKept = findExport(state, exportId)?.file?.fileId === fileId
    // Another attempt, in a process that was thought to be dead, may have been faster.
    await (isKept ? deleteOtherFiles(pool, { exportId, fileId }) : deleteFile(pool, { fileId }))
  } catch (error) {
    const { state } = await bus.load(dataExportsDecider, practiceId)
    if (findExport(state, exportId)?.file?.fileId !== fileId) await deleteFile(pool, { fileId })
    throw error
  }
}

/** Ends an export when its time is over. */
export const expireDataExport = defineJob({
  name: jobNames.expire,
  data: ExportJob,
  retry: followUpRetry,
  async run({ bus, clock, jobs }, data) {
    const { exportId, practiceId, cause } = data
    const context = processContext(jobNames.expire, practiceId, cause)
    const command = { type: 'Expire', exportId, practiceId, now: clock().toISOString() } as const
    const { state } = await bus.execute(dataExportsDecider, practiceId, command, context)
    // The clock of the database may be ahead of this one.
    if (findExport(state, exportId)?.state === 'ready') await jobs.send(jobNames.expire, data, { delaySeconds: 60 })
  },
})

/** Deletes the file of an expired export, and the key without which no copy of it can be read. */
export const deleteDataExportFile = defineJob({
  name: jobNames.deleteFile,
  data: z.strictObject({ exportId: DataExportId }),
  retry: followUpRetry,
  async run({ pool, keyStore }, { exportId }) {
    await deleteFiles(pool, exportId)
    await keyStore.destroy(exportId)
  },
})

/** Deletes what attempts left that were killed, also after an outage in which no other job ran. */
export const deleteOldDataExportFiles = defineJob({
  name: jobNames.deleteOldFiles,
  data: z.strictObject({}),
  schedule: '41 * * * *',
  run: ({ pool }) => deleteOldChunks(pool),
})
