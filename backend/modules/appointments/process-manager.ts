import { addSeconds } from 'date-fns/addSeconds'
import type { Recorded } from '#eventstore/event.ts'
import type { PatientEvent } from '#modules/patients/events.ts'
import { toCause, type JobRequest, defineProcessManager } from '#process-managers/process-manager.ts'
import type { AppointmentEvent, Slot } from './events.ts'
import type { ScheduleEvent } from '#modules/schedule/events.ts'
import type { SeriesEvent } from '#modules/series/events.ts'

/** The job that sees to what follows from a fact, should whoever made it happen not have come that far. */
export const resumeBookingJob = 'carry-on-appointments'

/** By then whoever made it happen has usually seen to it themselves, and there is nothing left to do. */
const resumeDelaySeconds = 10

/** Ids only: a place without what is known of the patient. */
const where = ({ providerId, days, holdId }: Slot) => ({ providerId, days, holdId })

const request = (event: Recorded, data: object, seconds = resumeDelaySeconds): JobRequest[] => [
  {
    job: resumeBookingJob,
    data: { ...data, cause: toCause(event) },
    startAfter: addSeconds(event.metadata.at, seconds).toISOString(),
  },
]

/** What nobody has touched of a sample practice is seen to by those who write it and take it away; see docs/decisions/0014. */
const skipSampleData = (event: Recorded, requests: JobRequest[]): JobRequest[] =>
  event.metadata.sample ? [] : requests

const held = (event: Recorded<Extract<ScheduleEvent, { type: 'SlotHeldForBooking' | 'SlotHeldForMove' }>>) =>
  skipSampleData(event, request(event, { do: 'carry-on', ...where(event.data.place) }))

/**
 * Brings to its end what was begun: an appointment follows its place, a place that was left is freed, a row of appointments is booked. And
 * what concerns others: a patient who is removed has no appointments to come, and who was booked waits no more.
 */
export const resumeBookings = defineProcessManager<ScheduleEvent | AppointmentEvent | SeriesEvent | PatientEvent>({
  name: 'carry-on-appointments',
  on: {
    SlotHeldForBooking: held,
    SlotHeldForMove: held,
    SlotHeldAlong: (event) => {
      const { appointmentId, place } = event.data
      return request(event, { do: 'give-up', appointmentId, ...where(place) })
    },
    SeriesPlanned: (event) =>
      request(event, { do: 'book-series', seriesId: event.data.seriesId }, 6 * resumeDelaySeconds),
    AppointmentBooked: (event) => {
      const { practiceId, appointmentId, patientId, waitlistEntryId } = event.data
      const what = { practiceId, appointmentId, patientId, waitlistEntryId }
      return skipSampleData(event, request(event, { do: 'after-booking', ...what }))
    },
    AppointmentRescheduled: (event) => {
      const { from, waitlistEntryId } = event.data
      const { practiceId } = event.metadata
      return [
        ...request(event, { do: 'release', practiceId, ...where(from) }),
        ...(waitlistEntryId ? request(event, { do: 'end-waiting', practiceId, waitlistEntryId }) : []),
      ]
    },
    AppointmentCancelled: (event) => {
      const { practiceId } = event.metadata
      return skipSampleData(event, request(event, { do: 'release', practiceId, ...where(event.data.place) }))
    },
    AppointmentRemoved: (event) => {
      const { practiceId } = event.metadata
      return skipSampleData(event, request(event, { do: 'release', practiceId, ...where(event.data.place) }))
    },
    PatientRemoved: (event) => {
      const { practiceId } = event.metadata
      return skipSampleData(
        event,
        request(event, { do: 'cancel-appointments', practiceId, patientId: event.data.patientId }, 0),
      )
    },
  },
})
