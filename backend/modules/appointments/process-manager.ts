import { addSeconds } from 'date-fns/addSeconds'
import type { Recorded } from '#eventstore/event.ts'
import type { PatientEvent } from '#modules/patients/events.ts'
import { causeOf, type JobRequest, processManager } from '#projections/reactor.ts'
import type { AppointmentEvent, Place } from './events.ts'
import type { ScheduleEvent } from './schedule/events.ts'
import type { SeriesEvent } from './series/events.ts'

/** The job that sees to what follows from a fact, should whoever made it happen not have come that far. */
export const carryOnJob = 'carry-on-appointments'

/** By then whoever made it happen has usually seen to it themselves, and there is nothing left to do. */
const patience = 10

/** Ids only: a place without what is known of the patient. */
const where = ({ providerId, days, holdId }: Place) => ({ providerId, days, holdId })

const request = (event: Recorded, data: object, seconds = patience): JobRequest[] => [
  {
    job: carryOnJob,
    data: { ...data, cause: causeOf(event) },
    startAfter: addSeconds(event.metadata.at, seconds).toISOString(),
  },
]

/** What nobody has touched of a sample practice is seen to by those who write it and take it away; see docs/decisions/0014. */
const unlessSeeded = (event: Recorded, requests: JobRequest[]): JobRequest[] => (event.metadata.sample ? [] : requests)

const held = (event: Recorded<Extract<ScheduleEvent, { type: 'SlotHeldForBooking' | 'SlotHeldForMove' }>>) =>
  unlessSeeded(event, request(event, { do: 'carry-on', ...where(event.data.place) }))

/**
 * Brings to its end what was begun: a visit follows its place, a place that was left is freed, a row of visits is booked. And
 * what concerns others: a patient who is removed has no visits to come, and who was booked waits no more.
 */
export const carryOnAppointments = processManager<ScheduleEvent | AppointmentEvent | SeriesEvent | PatientEvent>({
  name: 'carry-on-appointments',
  on: {
    SlotHeldForBooking: held,
    SlotHeldForMove: held,
    SlotHeldAlong: (event) => {
      const { appointmentId, place } = event.data
      return request(event, { do: 'give-up', appointmentId, ...where(place) })
    },
    SeriesPlanned: (event) => request(event, { do: 'book-series', seriesId: event.data.seriesId }, 6 * patience),
    AppointmentBooked: (event) => {
      const { practiceId, appointmentId, patientId, waitlistEntryId } = event.data
      const what = { practiceId, appointmentId, patientId, waitlistEntryId }
      return unlessSeeded(event, request(event, { do: 'after-booking', ...what }))
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
      return unlessSeeded(event, request(event, { do: 'release', practiceId, ...where(event.data.place) }))
    },
    AppointmentRemoved: (event) => {
      const { practiceId } = event.metadata
      return unlessSeeded(event, request(event, { do: 'release', practiceId, ...where(event.data.place) }))
    },
    PatientRemoved: (event) => {
      const { practiceId } = event.metadata
      return unlessSeeded(
        event,
        request(event, { do: 'cancel-visits', practiceId, patientId: event.data.patientId }, 0),
      )
    },
  },
})
