import { type JobRequest, defineProcessManager } from '#process-managers/process-manager.ts'
import type { ImportEvent } from './events.ts'

/** The job that runs or undoes an import. */
export const importJob = 'patient-imports'

const requestRun = ({ data: { importId } }: { data: { importId: string } }): readonly JobRequest[] => [
  { job: importJob, data: { importId } },
]

/** Requests the job when an import or its undo is requested. */
export const scheduleImports = defineProcessManager<ImportEvent>({
  name: 'imports-in-background',
  on: { ImportRequested: requestRun, ImportUndoRequested: requestRun, ImportResumed: requestRun },
})
