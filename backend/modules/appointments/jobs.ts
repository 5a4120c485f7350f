import { z } from 'zod'
import { AppointmentId, PatientId, PracticeId, ProviderId, ReservationId } from '#contracts/values/ids.ts'
import { type CommandContext, CommandRejected } from '#eventstore/command-bus.ts'
import { followUpRetry } from '#modules/follow-up.ts'
import { defineJob, type Services } from '#modules/module.ts'
import { originalContext, processContext } from '#modules/process-context.ts'
import type { ReservationEvent } from '#modules/schedule/events.ts'
import * as schedule from '#modules/schedule/public.ts'
import { waitForReadModels } from '#modules/wait-for-read-models.ts'
import { Cause } from '#process-managers/process-manager.ts'
import { appointmentDecider } from './decider.ts'
import { jobNames } from './process-manager.ts'
import { findUpcomingAppointments } from './queries.ts'
import { wasPatientRemoved } from './require-records.ts'
import * as reservations from './reservations.ts'

const slot = { providerId: ProviderId, days: z.array(z.iso.date()), reservationId: ReservationId }

/** Confirms an accepted reservation, in the name of the user who requested it. */
export const confirmReservation = defineJob({
  name: jobNames.confirmReservation,
  data: z.strictObject({ cause: Cause, ...slot }),
  retry: followUpRetry,
  async run(services, reference) {
    const event = await schedule.findReservationEvent(services.store, reference, reference.days[0] ?? '')
    if (!event) return
    const reservation = event as unknown as ReservationEvent
    await reservations.confirmReservation(services, reservation, originalContext(event)).catch((error: unknown) => {
      // The provider was deactivated in the meantime, and the slot is released.
      if (!(error instanceof CommandRejected)) throw error
    })
  },
})

/** Withdraws an appointment past midnight of which only the second day is reserved. */
export const withdrawReservation = defineJob({
  name: jobNames.withdrawReservation,
  data: z.strictObject({ cause: Cause, appointmentId: AppointmentId, ...slot }),
  retry: followUpRetry,
  async run({ bus, store }, { appointmentId, ...reference }) {
    const event = await schedule.findReservationEvent(store, reference, reference.days[1] ?? '')
    if (event) await schedule.withdrawReservation(bus, reference, appointmentId, originalContext(event))
  },
})

/** Releases the slot of a moved, cancelled or removed appointment. */
export const releaseSlot = defineJob({
  name: jobNames.releaseSlot,
  data: z.strictObject({ cause: Cause, practiceId: PracticeId, ...slot }),
  retry: followUpRetry,
  run: ({ bus }, { practiceId, cause, ...reference }) =>
    schedule.releaseSlot(bus, reference, processContext(jobNames.releaseSlot, practiceId, cause)),
})

/** Cancels a booking whose patient was removed while it was being booked. */
export const finishBooking = defineJob({
  name: jobNames.finishBooking,
  data: z.strictObject({ cause: Cause, practiceId: PracticeId, patientId: PatientId }),
  retry: followUpRetry,
  async run(services, { practiceId, patientId, cause }) {
    if (await wasPatientRemoved(services, practiceId, patientId))
      await cancelAllUpcoming(services, patientId, processContext(jobNames.finishBooking, practiceId, cause))
  },
})

/** Cancels the upcoming appointments of a removed patient. Past and completed ones stay. */
export const cancelUpcomingAppointments = defineJob({
  name: jobNames.cancelUpcomingAppointments,
  data: z.strictObject({ cause: Cause, practiceId: PracticeId, patientId: PatientId }),
  retry: followUpRetry,
  run: (services, { practiceId, patientId, cause }) =>
    cancelAllUpcoming(services, patientId, processContext(jobNames.cancelUpcomingAppointments, practiceId, cause)),
})

async function cancelAllUpcoming(services: Services, patientId: PatientId, context: CommandContext): Promise<void> {
  const { bus, db, clock } = services
  const practiceId = PracticeId.parse(context.practiceId)
  await waitForReadModels(services, ['AppointmentBooked'])
  for (const { id } of await findUpcomingAppointments(db, practiceId, patientId, clock())) {
    const exceptStatuses = ['completed', 'no-show'] as const
    const cause = 'patient-removed'
    const command = { type: 'Cancel', practiceId, keepOnDayList: false, cause, exceptStatuses } as const
    const { events } = await bus.execute(appointmentDecider, id, command, context)
    await reservations.releaseLeftSlots(bus, events, context)
  }
}
