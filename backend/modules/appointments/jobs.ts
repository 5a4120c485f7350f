import { z } from 'zod'
import { AppointmentId, type PatientId, PracticeId, ProviderId, ReservationId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command.ts'
import { CommandRejected } from '#eventstore/command-errors.ts'
import { followUpBatchSize, followUpRetry } from '#modules/kit/follow-up.ts'
import { defineJob, type Services } from '#modules/module.ts'
import { definePatientCascade } from '#modules/patients/public.ts'
import { originalContext, processContext } from '#modules/kit/process-context.ts'
import type { ReservationEvent } from '#modules/schedule/events.ts'
import * as schedule from '#modules/schedule/public.ts'
import { Cause } from '#process-managers/process-manager.ts'
import { cascadeNames, jobNames } from './process-manager.ts'
import { findUpcomingAppointments } from './queries.ts'
import { findLoadedAppointment } from './require-records.ts'
import * as reservations from './reservations.ts'

const slot = { providerId: ProviderId, days: z.array(z.iso.date()), reservationId: ReservationId }

/**
 * Confirms an accepted reservation, in the name of the user who requested it, and cancels the appointment if its patient was removed
 * while it was being booked.
 */
export const confirmReservation = defineJob({
  name: jobNames.confirmReservation,
  // Without the appointment when an earlier version requested it.
  data: z.strictObject({ cause: Cause, appointmentId: AppointmentId.optional(), ...slot }),
  retry: followUpRetry,
  batchSize: followUpBatchSize,
  async run(services, { appointmentId, cause, ...reference }, context) {
    const confirmed = appointmentId
      ? await reservations.findConfirmed(services, appointmentId, reference.reservationId)
      : null
    const booked = confirmed ?? (await confirm(services, reference))
    if (!booked) return
    const { practiceId, patientId } = booked
    await cancelForRemovedPatient.added.run(services, { cause, practiceId, patientId }, context)
  },
})

type SlotReference = Omit<z.infer<typeof confirmReservation.data>, 'cause' | 'appointmentId'>

/** Confirms a reservation. Returns whom it is for; null when there is no such reservation. */
async function confirm(services: Services, reference: SlotReference) {
  const event = await schedule.findReservationEvent(services.store, reference, reference.days[0] ?? '')
  if (!event) return null
  const reservation = event as unknown as ReservationEvent
  await reservations.confirmReservation(services, reservation, originalContext(event)).catch((error: unknown) => {
    // The provider was deactivated in the meantime, and the slot is released.
    if (!(error instanceof CommandRejected)) throw error
  })
  return reservation.data
}

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
  batchSize: followUpBatchSize,
  run: ({ bus }, { practiceId, cause, ...reference }) =>
    schedule.releaseSlot(bus, reference, processContext(jobNames.releaseSlot, practiceId, cause)),
})

/** Cancels the upcoming appointments of a removed patient, also one that was being booked. Past and completed ones stay. */
export const cancelForRemovedPatient = definePatientCascade({
  names: cascadeNames,
  after: ['AppointmentBooked'],
  close: cancelAllUpcoming,
})

async function cancelAllUpcoming(
  { bus, db, clock }: Services,
  { practiceId, patientId }: { practiceId: PracticeId; patientId: PatientId },
  context: CommandContext,
): Promise<void> {
  for (const { id } of await findUpcomingAppointments(db, practiceId, patientId, clock())) {
    const exceptStatuses = ['completed', 'no-show'] as const
    const cause = 'patient-removed'
    const command = { type: 'Cancel', practiceId, keepOnDayList: false, cause, exceptStatuses } as const
    const loaded = await findLoadedAppointment(bus, practiceId, id)
    // One that was removed since it was listed needs no cancellation.
    if (loaded) await reservations.changeAndRelease({ bus }, command, loaded, context)
  }
}
