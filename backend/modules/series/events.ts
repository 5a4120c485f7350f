import { z } from 'zod'
import { AppointmentId, PatientId, PracticeId, SeriesId } from '#contracts/values/ids.ts'
import { event } from '#eventstore/event.ts'
import { appointmentDetails, patientEvent, Slot } from '#modules/schedule/events.ts'

/** The booking of a series of recurring appointments. Each appointment has a separate stream. */
export const SeriesEvent = z.discriminatedUnion('type', [
  /** Contains all that is needed to book the appointments one after the other, also after a crash. `index` counts from 0. */
  patientEvent('SeriesPlanned', {
    seriesId: SeriesId,
    practiceId: PracticeId,
    patientId: PatientId,
    ...appointmentDetails,
    appointments: z.array(
      z.strictObject({
        index: z.number().int(),
        appointmentId: AppointmentId,
        slot: Slot,
        allowOverlap: z.boolean(),
      }),
    ),
  }),
  /** The slot was taken between the plan and the booking. The other appointments are booked. */
  event('SeriesAppointmentNotBooked', { seriesId: SeriesId, patientId: PatientId, appointmentId: AppointmentId }),
])
export type SeriesEvent = z.infer<typeof SeriesEvent>
