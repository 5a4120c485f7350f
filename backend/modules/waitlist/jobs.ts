import { z } from 'zod'
import { AppointmentId, PracticeId, WaitlistEntryId } from '#contracts/values/ids.ts'
import { followUpRetry } from '#modules/kit/follow-up.ts'
import { defineJob } from '#modules/module.ts'
import { definePatientCascade } from '#modules/patients/public.ts'
import { processContext } from '#modules/kit/process-context.ts'
import { Cause } from '#process-managers/process-manager.ts'
import { waitlistDecider } from './decider.ts'
import { cascadeNames, jobNames } from './process-manager.ts'
import { findPatientEntries } from './queries.ts'

/** Removes the waitlist entry that a booking was made for. */
export const removeFromWaitlist = defineJob({
  name: jobNames.removeFromWaitlist,
  data: z.strictObject({
    cause: Cause,
    practiceId: PracticeId,
    waitlistEntryId: WaitlistEntryId,
    /** Missing in jobs that an earlier version requested. */
    booked: z.strictObject({ appointmentId: AppointmentId, startsAt: z.iso.datetime() }).optional(),
  }),
  retry: followUpRetry,
  async run({ bus }, { practiceId, waitlistEntryId, booked, cause }) {
    const context = processContext(jobNames.removeFromWaitlist, practiceId, cause)
    const command = { type: 'Remove', practiceId, reason: 'booked', ...(booked ? { booked } : {}) } as const
    await bus.execute(waitlistDecider, waitlistEntryId, command, context)
  },
})

/** Removes the waitlist entries of a removed patient, also one that was being added. */
export const removeEntriesOfRemovedPatient = definePatientCascade({
  names: cascadeNames,
  after: ['PatientAddedToWaitlist'],
  async close({ bus, db }, { practiceId, patientId }, context) {
    for (const { id } of await findPatientEntries(db, practiceId, patientId)) {
      const command = { type: 'Remove', practiceId, reason: 'patient-removed' } as const
      await bus.execute(waitlistDecider, id, command, context)
    }
  },
})
