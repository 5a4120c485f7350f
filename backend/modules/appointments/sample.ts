import { type AppointmentId, type ReservationId, PracticeId } from '#contracts/values/ids.ts'
import { defaultFees } from '#contracts/values/money.ts'
import { ConcurrencyError, type CommandContext, CommandRejected } from '#eventstore/command-bus.ts'
import type { Services } from '#modules/module.ts'
import type { PlannedAppointment, SampleContributor, SamplePlan, SampleRecord } from '#modules/samples/public.ts'
import { type AppointmentCommand, appointmentDecider } from './decider.ts'
import type { Slot } from './events.ts'
import { touchedDays } from './local-time.ts'
import type { ReservationEvent } from './placing.ts'
import { findProviders, type PracticeProvider } from './queries.ts'
import { scheduleDecider } from './schedule/decider.ts'

const written = { idempotencyKey: 'sample practice', isNew: true, dontWait: true }

/** The appointments of a sample practice, and the times they take of its first provider. */
export const sampleAppointments: SampleContributor<Services> = {
  async seed(services, plan, context) {
    const [provider] = await findProviders(services.db, plan.practiceId)
    if (!provider) throw new Error('Nobody sees patients yet')
    const appointments = plan.appointments.map((appointment) => ({
      appointment,
      fact: bookingOf(plan.practiceId, provider, appointment),
    }))
    const days = Map.groupBy(appointments, ({ fact }) => fact.data.place.days[0] ?? '')
    // A day decides before its appointments follow, as for every other; days do not wait for each other.
    await Promise.all([...days].map(([day, ofDay]) => seedDay(services, `${provider.id}-${day}`, ofDay, plan, context)))
  },
  async keepOrRemove(services, records, context) {
    const own = records.filter(({ kind }) => kind === 'appointment')
    const left = await Promise.all(own.map((record) => settleOne(services, record, context)))
    const held = left.flatMap((place) =>
      (place?.days ?? []).map((day) => ({
        schedule: `${place?.providerId}-${day}`,
        holdId: place?.holdId as ReservationId,
      })),
    )
    await Promise.all(
      [...Map.groupBy(held, ({ schedule }) => schedule)].map(([schedule, holds]) =>
        releaseAll(services, schedule, holds, context),
      ),
    )
  },
  async cleanUp(services, { practiceId, appointments }, context) {
    const { bus, db } = services
    const [provider] = await findProviders(db, practiceId)
    if (!provider) return
    const days = appointments.flatMap(({ startsAt, duration }) => touchedDays(startsAt, duration, provider.timezone))
    const seeded = new Set(appointments.map(({ reservationId }) => reservationId))
    await Promise.all(
      [...new Set(days)].map(async (day) => {
        const { state } = await bus.load(scheduleDecider, `${provider.id}-${day}`)
        const holds = state.holds.filter(({ holdId }) => seeded.has(holdId))
        const appointmentsThere = await Promise.all(
          holds.map(({ appointmentId }) => bus.load(appointmentDecider, appointmentId)),
        )
        const over = holds.filter((_, index) => !appointmentsThere[index]?.state.known)
        await releaseAll(services, `${provider.id}-${day}`, over, context)
      }),
    )
  },
}

async function releaseAll(
  { bus, clock }: Services,
  schedule: string,
  holds: readonly { holdId: ReservationId }[],
  context: CommandContext,
): Promise<void> {
  const at = clock().toISOString()
  const releases = holds.map(({ holdId }) => ({ command: { type: 'Release', holdId } as const, at }))
  await bus.executeAll(scheduleDecider, schedule, releases, context, { dontWait: true })
}

type Seeded = { appointment: PlannedAppointment; fact: Extract<ReservationEvent, { type: 'SlotHeldForBooking' }> }

function bookingOf(
  practiceId: PracticeId,
  provider: PracticeProvider,
  appointment: PlannedAppointment,
): Seeded['fact'] {
  const { appointmentId, reservationId: holdId, patientId, startsAt, duration, type, reason } = appointment
  const days = touchedDays(startsAt, duration, provider.timezone)
  const place: Slot = { holdId, providerId: provider.id, startsAt, duration, days, overlaps: [] }
  const what = { appointmentId, practiceId, patientId, place, type, reason, notes: null, status: 'scheduled' } as const
  return { type: 'SlotHeldForBooking', data: { ...what, completion: null, seriesId: null, waitlistEntryId: null } }
}

async function seedDay(
  { bus }: Services,
  schedule: string,
  appointments: readonly Seeded[],
  { at }: SamplePlan,
  context: CommandContext,
): Promise<void> {
  const holds = appointments.flatMap(({ appointment: { status, reservationId: holdId }, fact }) => [
    // Nothing is refused: should somebody have booked already, it is recorded as an overlap.
    { command: { type: 'Hold', fact, allowOverlap: true } as const, at },
    ...(status === 'cancelled' ? [{ command: { type: 'Release', holdId } as const, at }] : []),
  ])
  const { state } = await bus.executeAll(scheduleDecider, schedule, holds, context, written)
  const overlapsOf = (id: ReservationId): readonly AppointmentId[] =>
    state.holds.find(({ holdId }) => holdId === id)?.overlaps ?? []
  await Promise.all(
    appointments.map(({ appointment, fact }) => {
      const place = { ...fact.data.place, overlaps: [...overlapsOf(appointment.reservationId)] }
      const held = { ...fact, data: { ...fact.data, place } }
      return bus.executeAll(
        appointmentDecider,
        appointment.appointmentId,
        commandsFor(appointment, held),
        context,
        written,
      )
    }),
  )
}

/** Booked, and then what it came to, each at its moment. */
function commandsFor({ status, statusAt, bookedAt }: PlannedAppointment, held: Seeded['fact']) {
  const follow: AppointmentCommand = { type: 'Follow', held }
  const { practiceId } = held.data
  const change: AppointmentCommand = {
    type: 'Change',
    practiceId,
    change: { status },
    fees: defaultFees,
    now: statusAt,
  }
  const booked = { command: follow, at: bookedAt }
  return status === 'scheduled' ? [booked] : [booked, { command: change, at: statusAt }]
}

/** Answers the place that is to be freed; null when the appointment is kept, or was changed meanwhile. */
async function settleOne(
  { bus }: Services,
  { id, revision, isInUse: wanted, shouldKeep: keep }: SampleRecord,
  context: CommandContext,
) {
  const practiceId = PracticeId.parse(context.practiceId)
  const command = { type: keep ? 'KeepSample' : 'RemoveSample', practiceId } as const
  try {
    const options = { expectedRevision: revision, dontWait: true }
    const { events } = await bus.execute(appointmentDecider, id, command, { ...context, sample: !wanted }, options)
    return events.find((event) => event.type === 'AppointmentRemoved')?.data.place ?? null
  } catch (error) {
    // Whoever changed it a moment ago is asked about next time.
    if (!(error instanceof ConcurrencyError || error instanceof CommandRejected)) throw error
    return null
  }
}
