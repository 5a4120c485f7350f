import { z } from 'zod'
import {
  AppointmentId,
  ReservationId,
  PatientId,
  PracticeId,
  ProviderId,
  SeriesId,
  WaitlistEntryId,
} from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command-bus.ts'
import type { Recorded } from '#eventstore/event.ts'
import { defineJob, type Services } from '#modules/module.ts'
import { Cause } from '#process-managers/process-manager.ts'
import { appointmentDecider } from './decider.ts'
import { type Reservations, createReservations, type ReservationEvent } from './reservations.ts'
import { resumeBookingJob } from './process-manager.ts'
import { findUpcomingAppointments, findPatient } from './queries.ts'
import { bookSeriesAppointments } from '#modules/series/book-series.ts'
import { seriesDecider } from '#modules/series/decider.ts'
import { waitlistDecider } from '#modules/waitlist/decider.ts'
import { findWaitlistEntries } from '#modules/waitlist/queries.ts'

const practiceId = PracticeId
/** Jobs that were put down by an earlier version name no cause. */
const cause = Cause.optional()
const place = { providerId: ProviderId, days: z.array(z.iso.date()), holdId: ReservationId }

/** What is left to be seen to; see process-manager.ts. */
const Task = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('carry-on'), cause, ...place }),
  z.strictObject({ do: z.literal('give-up'), cause, appointmentId: AppointmentId, ...place }),
  z.strictObject({ do: z.literal('release'), cause, practiceId, ...place }),
  z.strictObject({ do: z.literal('book-series'), cause, seriesId: SeriesId }),
  z.strictObject({
    do: z.literal('after-booking'),
    cause,
    practiceId,
    appointmentId: AppointmentId,
    patientId: PatientId,
    waitlistEntryId: WaitlistEntryId.nullable(),
  }),
  z.strictObject({ do: z.literal('end-waiting'), cause, practiceId, waitlistEntryId: WaitlistEntryId }),
  z.strictObject({ do: z.literal('cancel-appointments'), cause, practiceId, patientId: PatientId }),
])
export type Task = z.infer<typeof Task>

/** Sees to what follows from a fact. Looks at how things stand now, and does nothing where nothing is left to do. */
export const resumeBooking = defineJob({
  name: resumeBookingJob,
  data: Task,
  retry: { limit: 50, maxDelaySeconds: 300 },
  run: (services, task, { id }) => handleTask(services, createReservations(services.bus, services.store), task, id),
})

/** One task. `id` is the job's, which connects everything where the task names no cause. */
export async function handleTask(
  services: Pick<Services, 'bus' | 'store' | 'db' | 'clock' | 'waitUntilCaughtUp'>,
  places: Reservations,
  task: Task,
  id: string,
) {
  const { bus } = services
  const asProcess = (of: PracticeId | null): CommandContext => ({
    practiceId: of,
    actor: { kind: 'process', name: resumeBookingJob },
    ...(task.cause ?? { correlationId: id }),
  })
  switch (task.do) {
    case 'carry-on': {
      const fact = await places.find(task.providerId, task.days[0] ?? '', task.holdId)
      if (fact) await places.carryOn(fact as unknown as ReservationEvent, asOriginalActor(fact))
      return
    }
    case 'give-up': {
      const fact = await places.find(task.providerId, task.days[1] ?? '', task.holdId)
      if (fact) await places.giveUp(task, task.appointmentId, asOriginalActor(fact))
      return
    }
    case 'release':
      return await places.release(task, asProcess(task.practiceId))
    case 'book-series': {
      const { state } = await bus.load(seriesDecider, task.seriesId)
      if (state.known) await bookSeriesAppointments(bus, places, task.seriesId, asProcess(state.plan.practiceId))
      return
    }
    case 'after-booking': {
      if (task.waitlistEntryId)
        await closeWaitlistEntry(services, task.waitlistEntryId, asProcess(task.practiceId), 'booked')
      await waitForReadModels(services, ['PatientRemoved'])
      const patient = await findPatient(services.db, task.practiceId, task.patientId)
      if (patient?.removed)
        await cancelUpcomingAppointments(services, places, task.patientId, asProcess(task.practiceId))
      return
    }
    case 'end-waiting':
      return await closeWaitlistEntry(services, task.waitlistEntryId, asProcess(task.practiceId), 'booked')
    case 'cancel-appointments':
      return await cancelUpcomingAppointments(services, places, task.patientId, asProcess(task.practiceId))
  }
}

type Needs = Pick<Services, 'bus' | 'store' | 'db' | 'clock' | 'waitUntilCaughtUp'>

/** Whoever asked for it did it, also when a process brings it to its end. */
const asOriginalActor = ({ metadata, id }: Recorded): CommandContext => ({
  practiceId: metadata.practiceId,
  actor: metadata.actor,
  correlationId: metadata.correlationId,
  causationId: id,
  sample: metadata.sample,
})

/** Everything that has happened so far can be looked up then. */
async function waitForReadModels(
  { store, waitUntilCaughtUp: caughtUp }: Needs,
  types: readonly string[],
): Promise<void> {
  const head = await store.head()
  if (head !== null) await caughtUp(types, head)
}

async function closeWaitlistEntry(
  { bus }: Needs,
  waitlistEntryId: WaitlistEntryId,
  context: CommandContext,
  reason: 'booked' | 'patient-removed',
): Promise<void> {
  const ofPractice = context.practiceId as PracticeId
  await bus.execute(waitlistDecider, waitlistEntryId, { type: 'TakeOff', practiceId: ofPractice, reason }, context)
}

/** A patient who was removed has no appointments to come, and waits for none. What took place stays. */
async function cancelUpcomingAppointments(
  services: Needs,
  places: Reservations,
  patientId: PatientId,
  context: CommandContext,
) {
  const { bus, db, clock } = services
  const ofPractice = context.practiceId as PracticeId
  await waitForReadModels(services, ['AppointmentBooked', 'PatientAddedToWaitlist'])
  for (const { id } of await findUpcomingAppointments(db, ofPractice, patientId, clock())) {
    const unless = ['completed', 'no-show'] as const
    const command = { type: 'Cancel', practiceId: ofPractice, listed: false, cause: 'patient-removed', unless } as const
    const { events } = await bus.execute(appointmentDecider, id, command, context)
    for (const event of events)
      if (event.type === 'AppointmentCancelled') await places.release(event.data.place, context)
  }
  for (const { id } of await findWaitlistEntries(db, ofPractice, patientId))
    await closeWaitlistEntry(services, id, context, 'patient-removed')
}
