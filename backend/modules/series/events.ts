import { z } from 'zod'
import { AppointmentId, PatientId, PracticeId, SeriesId } from '#contracts/values/ids.ts'
import { event } from '#eventstore/event.ts'
import { appointmentDetails, patientEvent, Slot } from '#modules/appointments/events.ts'

/** A row of recurring appointments, from its plan to what became of it. Its appointments have records of their own. */
export const SeriesEvent = z.discriminatedUnion('type', [
  /** Everything that is needed to book the appointments one after the other, also after a crash. `index` counts from 0. */
  patientEvent('SeriesPlanned', {
    seriesId: SeriesId,
    practiceId: PracticeId,
    patientId: PatientId,
    ...appointmentDetails,
    appointments: z.array(
      z.strictObject({
        index: z.number().int(),
        appointmentId: AppointmentId,
        place: Slot,
        allowOverlap: z.boolean(),
      }),
    ),
  }),
  /** Somebody else was faster in the moment between the plan and the booking; the others stand. */
  event('SeriesAppointmentNotBooked', { seriesId: SeriesId, patientId: PatientId, appointmentId: AppointmentId }),
])
export type SeriesEvent = z.infer<typeof SeriesEvent>
