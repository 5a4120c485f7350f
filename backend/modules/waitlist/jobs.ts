import { z } from 'zod'
import { PatientId, PracticeId, WaitlistEntryId } from '#contracts/values/ids.ts'
import { followUpRetry } from '#modules/follow-up.ts'
import { defineJob } from '#modules/module.ts'
import { processContext } from '#modules/process-context.ts'
import { waitForReadModels } from '#modules/wait-for-read-models.ts'
import { Cause } from '#process-managers/process-manager.ts'
import { waitlistDecider } from './decider.ts'
import { jobNames } from './process-manager.ts'
import { findPatientEntries } from './queries.ts'

/** Removes the waitlist entry that a booking was made for. */
export const removeFromWaitlist = defineJob({
  name: jobNames.removeFromWaitlist,
  data: z.strictObject({ cause: Cause, practiceId: PracticeId, waitlistEntryId: WaitlistEntryId }),
  retry: followUpRetry,
  async run({ bus }, { practiceId, waitlistEntryId, cause }) {
    const context = processContext(jobNames.removeFromWaitlist, practiceId, cause)
    await bus.execute(waitlistDecider, waitlistEntryId, { type: 'Remove', practiceId, reason: 'booked' }, context)
  },
})

/** Removes the waitlist entries of a removed patient. */
export const removePatientFromWaitlist = defineJob({
  name: jobNames.removePatientFromWaitlist,
  data: z.strictObject({ cause: Cause, practiceId: PracticeId, patientId: PatientId }),
  retry: followUpRetry,
  async run(services, { practiceId, patientId, cause }) {
    const { bus, db } = services
    const context = processContext(jobNames.removePatientFromWaitlist, practiceId, cause)
    await waitForReadModels(services, ['PatientAddedToWaitlist'])
    for (const { id } of await findPatientEntries(db, practiceId, patientId)) {
      const command = { type: 'Remove', practiceId, reason: 'patient-removed' } as const
      await bus.execute(waitlistDecider, id, command, context)
    }
  },
})
