import { z } from 'zod'
import { PatientId, PracticeId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command.ts'
import type { AnyJob } from '#jobs/job.ts'
import { followUpBatchSize, followUpRetry } from '#modules/kit/follow-up.ts'
import { defineJob, type Services } from '#modules/module.ts'
import type { CascadeNames } from './public.ts'
import { processContext } from '#modules/kit/process-context.ts'
import { waitForReadModels } from '#modules/kit/wait-for-read-models.ts'
import { Cause } from '#process-managers/process-manager.ts'
import { wasRemoved } from '../known-patients.ts'

const data = z.strictObject({ cause: Cause, practiceId: PracticeId, patientId: PatientId })
type Removed = Pick<z.infer<typeof data>, 'practiceId' | 'patientId'>

type Cascade = {
  names: CascadeNames
  /** The events that add records: the read models must contain them before `close` looks for the records. */
  after: readonly string[]
  /** Closes all records of the patient. A repetition has no effect. */
  close(services: Services, patient: Removed, context: CommandContext): Promise<void>
}

/** Returns the jobs with which a module closes what it holds about a removed patient (see public.ts). */
export function definePatientCascade({ names, after, close }: Cascade): Record<'removed' | 'added', AnyJob<Services>> {
  const closeAll = async (services: Services, job: string, { cause, ...patient }: z.infer<typeof data>) => {
    await waitForReadModels(services, after)
    await close(services, patient, processContext(job, patient.practiceId, cause))
  }
  return {
    removed: defineJob({
      name: names.removed,
      data,
      retry: followUpRetry,
      run: (services, request) => closeAll(services, names.removed, request),
    }),
    added: defineJob({
      name: names.added,
      data,
      retry: followUpRetry,
      batchSize: followUpBatchSize,
      async run(services, request) {
        await waitForReadModels(services, ['PatientRemoved'])
        if (await wasRemoved(services.db, request.practiceId, request.patientId))
          await closeAll(services, names.added, request)
      },
    }),
  }
}
