import { type JobRequest, defineProcessManager } from '#process-managers/process-manager.ts'
import type { ImportEvent } from './events.ts'

/** The job of all imports: carrying one out, or taking one back. */
export const importJob = 'patient-imports'

const requestRun = ({ data: { importId } }: { data: { importId: string } }): readonly JobRequest[] => [
  { job: importJob, data: { importId } },
]

/** What somebody asked for is done in the background. */
export const scheduleImports = defineProcessManager<ImportEvent>({
  name: 'imports-in-background',
  on: { ImportRequested: requestRun, ImportUndoRequested: requestRun, ImportResumed: requestRun },
})
