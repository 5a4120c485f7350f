import { z } from 'zod'
import { AppointmentId, PatientId, PracticeId, WaitlistEntryId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command-bus.ts'
import { wasPatientRemoved } from '#modules/appointments/public.ts'
import { followUpRetry } from '#modules/follow-up.ts'
import { defineJob, type Services } from '#modules/module.ts'
import { processContext } from '#modules/process-context.ts'
import { waitForReadModels } from '#modules/wait-for-read-models.ts'
import { Cause } from '#process-managers/process-manager.ts'
import { waitlistDecider } from './decider.ts'
import { jobNames } from './process-manager.ts'
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

/** Removes the waitlist entries of a patient who was removed while being added. */
export const finishAddingToWaitlist = defineJob({
  name: jobNames.finishAddingToWaitlist,
  data: z.strictObject({ cause: Cause, practiceId: PracticeId, patientId: PatientId }),
  retry: followUpRetry,
  async run(services, { practiceId, patientId, cause }) {
    const context = processContext(jobNames.finishAddingToWaitlist, practiceId, cause)
    if (await wasPatientRemoved(services, practiceId, patientId))
      await removeAllEntries(services, practiceId, patientId, context)
  },
})

/** Removes the waitlist entries of a removed patient. */
export const removePatientFromWaitlist = defineJob({
  name: jobNames.removePatientFromWaitlist,
  data: z.strictObject({ cause: Cause, practiceId: PracticeId, patientId: PatientId }),
  retry: followUpRetry,
  run: (services, { practiceId, patientId, cause }) =>
    removeAllEntries(
      services,
      practiceId,
      patientId,
      processContext(jobNames.removePatientFromWaitlist, practiceId, cause),
    ),
})

async function removeAllEntries(
  services: Services,
  practiceId: PracticeId,
  patientId: PatientId,
  context: CommandContext,
): Promise<void> {
  const { bus, db } = services
  await waitForReadModels(services, ['PatientAddedToWaitlist'])
  for (const { id } of await findPatientEntries(db, practiceId, patientId)) {
    const command = { type: 'Remove', practiceId, reason: 'patient-removed' } as const
    await bus.execute(waitlistDecider, id, command, context)
  }
}
