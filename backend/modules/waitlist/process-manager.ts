import type { WaitlistEntryId } from '#contracts/values/ids.ts'
import type { Recorded } from '#eventstore/event.ts'
import type { AppointmentEvent } from '#modules/appointments/events.ts'
import { followUp, unlessSample } from '#modules/kit/follow-up.ts'
import { onPatientReferred, onPatientRemoved } from '#modules/patients/removal/public.ts'
import type { PatientEvent } from '#modules/patients/events.ts'
import { defineProcessManager, type JobRequest } from '#process-managers/process-manager.ts'
import type { BookedForEntry } from './decider.ts'
import type { WaitlistEvent } from './events.ts'

/** The names of the jobs that this process manager requests; see jobs.ts. */
export const jobNames = { removeFromWaitlist: 'remove-from-waitlist' } as const

/** The names of the jobs that remove the entries of a removed patient. */
export const cascadeNames = { removed: 'remove-patient-from-waitlist', added: 'finish-adding-to-waitlist' } as const

function removeEntry(event: Recorded, waitlistEntryId: WaitlistEntryId | null, booked: BookedForEntry): JobRequest[] {
  const { practiceId } = event.metadata
  return waitlistEntryId ? followUp(event, jobNames.removeFromWaitlist, { practiceId, waitlistEntryId, booked }) : []
}

/** Removes the waitlist entries of booked and of removed patients, also of those removed while being added. */
export const closeWaitlistEntries = defineProcessManager<AppointmentEvent | PatientEvent | WaitlistEvent>({
  name: 'close-waitlist-entries',
  on: {
    AppointmentBooked: (event) => {
      const { waitlistEntryId, appointmentId, slot } = event.data
      return unlessSample(event, removeEntry(event, waitlistEntryId, { appointmentId, startsAt: slot.startsAt }))
    },
    AppointmentRescheduled: (event) => {
      const { waitlistEntryId, appointmentId, to } = event.data
      return removeEntry(event, waitlistEntryId, { appointmentId, startsAt: to.startsAt })
    },
    PatientAddedToWaitlist: (event) => onPatientReferred(event, cascadeNames),
    PatientRemoved: (event) => onPatientRemoved(event, cascadeNames),
  },
})
