import type { WaitlistEntryId } from '#contracts/values/ids.ts'
import type { Recorded } from '#eventstore/event.ts'
import type { AppointmentEvent } from '#modules/appointments/events.ts'
import { followUp, unlessSample } from '#modules/follow-up.ts'
import type { PatientEvent } from '#modules/patients/events.ts'
import { defineProcessManager, type JobRequest } from '#process-managers/process-manager.ts'
import type { WaitlistEvent } from './events.ts'

/** The names of the jobs that this process manager requests; see jobs.ts. */
export const jobNames = {
  finishAddingToWaitlist: 'finish-adding-to-waitlist',
  removeFromWaitlist: 'remove-from-waitlist',
  removePatientFromWaitlist: 'remove-patient-from-waitlist',
} as const

function removeEntry(event: Recorded, waitlistEntryId: WaitlistEntryId | null): JobRequest[] {
  const { practiceId } = event.metadata
  return waitlistEntryId ? followUp(event, jobNames.removeFromWaitlist, { practiceId, waitlistEntryId }) : []
}

/** Removes the waitlist entries of booked and of removed patients, also of those removed while being added. */
export const closeWaitlistEntries = defineProcessManager<AppointmentEvent | PatientEvent | WaitlistEvent>({
  name: 'close-waitlist-entries',
  on: {
    AppointmentBooked: (event) => unlessSample(event, removeEntry(event, event.data.waitlistEntryId)),
    AppointmentRescheduled: (event) => removeEntry(event, event.data.waitlistEntryId),
    PatientAddedToWaitlist: (event) => {
      const { practiceId, patientId } = event.data
      return followUp(event, jobNames.finishAddingToWaitlist, { practiceId, patientId })
    },
    PatientRemoved: (event) => {
      const { practiceId } = event.metadata
      const { patientId } = event.data
      return unlessSample(event, followUp(event, jobNames.removePatientFromWaitlist, { practiceId, patientId }, 0))
    },
  },
})
