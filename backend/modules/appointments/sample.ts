import { PracticeId } from '#contracts/values/ids.ts'
import { defaultFees } from '#contracts/values/money.ts'
import type { CommandContext } from '#eventstore/command.ts'
import { CommandRejected, ConcurrencyError } from '#eventstore/command-errors.ts'
import { touchedDays } from '#modules/kit/local-time.ts'
import type { Services } from '#modules/module.ts'
import { findPracticeProviders, type PracticeProvider } from '#modules/providers/public.ts'
import type { ReservationEvent, Slot } from '#modules/schedule/events.ts'
import type { PlannedAppointment, SampleContributor, SamplePlan, SampleRecord } from '#modules/samples/public.ts'
import { createSlot, listReservations, releaseSampleDay, reserveSampleDay } from '#modules/schedule/public.ts'
import { type AppointmentCommand, appointmentDecider } from './decider.ts'

const seedOptions = { idempotencyKey: 'sample practice', isNew: true, consistency: 'eventual' } as const

/** The appointments of a sample practice, and their slots in the schedule of its first provider. */
export const sampleAppointments: SampleContributor<Services> = {
  async seed(services, plan, context) {
    const [provider] = await findPracticeProviders(services.db, plan.practiceId)
    if (!provider) throw new Error('The practice has no provider yet')
    const seeded = plan.appointments.map((appointment) => ({
      appointment,
      event: toReservationEvent(plan.practiceId, provider, appointment),
    }))
    // A day reserves its slots before their appointments are booked, as always. The days are independent.
    const days = Map.groupBy(seeded, ({ event }) => event.data.slot.days[0] ?? '')
    await Promise.all([...days].map(([day, ofDay]) => seedDay(services, provider.id, day, ofDay, plan, context)))
  },
  async keepOrRemove(services, records, context) {
    const own = records.filter(({ kind }) => kind === 'appointment')
    const slots = await Promise.all(own.map((record) => keepOrRemoveOne(services, record, context)))
    const left = slots.flatMap((slot) => (slot ? slot.days.map((day) => ({ day, ...slot })) : []))
    const days = Map.groupBy(left, ({ providerId, day }) => `${providerId} ${day}`)
    await Promise.all([...days.values()].map((ofDay) => releaseDay(services, ofDay, context)))
  },
  async cleanUp(services, { practiceId, appointments }, context) {
    const { bus, db } = services
    const [provider] = await findPracticeProviders(db, practiceId)
    if (!provider) return
    const { id: providerId, timezone } = provider
    const days = appointments.flatMap(({ startsAt, duration }) => touchedDays(startsAt, duration, timezone))
    const seededIds = new Set(appointments.map(({ reservationId }) => reservationId))
    await Promise.all(
      [...new Set(days)].map(async (day) => {
        const reservations = (await listReservations(bus, providerId, day)).filter((each) =>
          seededIds.has(each.reservationId),
        )
        const loaded = await Promise.all(
          reservations.map(({ appointmentId }) => bus.load(appointmentDecider, appointmentId)),
        )
        const orphaned = reservations.filter((_, index) => !loaded[index]?.state.known)
        const slots = orphaned.map(({ reservationId }) => ({ providerId, day, reservationId }))
        await releaseDay(services, slots, context)
      }),
    )
  },
}

type SlotOnDay = Pick<Slot, 'providerId' | 'reservationId'> & { day: string }

/** Releases slots of the same provider and day. */
async function releaseDay({ bus, clock }: Services, slots: readonly SlotOnDay[], context: CommandContext) {
  const [first] = slots
  if (!first) return
  const ids = slots.map(({ reservationId }) => reservationId)
  await releaseSampleDay(bus, first.providerId, first.day, ids, clock().toISOString(), context)
}

type BookingEvent = Extract<ReservationEvent, { type: 'SlotReservedForBooking' }>
type Seeded = { appointment: PlannedAppointment; event: BookingEvent }

function toReservationEvent(
  practiceId: PracticeId,
  provider: PracticeProvider,
  { appointmentId, reservationId, patientId, startsAt, duration, type, reason }: PlannedAppointment,
): BookingEvent {
  const slot = createSlot(provider, startsAt, duration, reservationId)
  const ids = { appointmentId, practiceId, patientId, seriesId: null, waitlistEntryId: null }
  const details = { type, reason, notes: null, status: 'scheduled', completion: null } as const
  return { type: 'SlotReservedForBooking', data: { ...ids, slot, ...details } }
}

/** Seeds one day. A slot that a user has already booked is not refused; the overlap is recorded. */
async function seedDay(
  { bus }: Services,
  providerId: string,
  day: string,
  seeded: readonly Seeded[],
  { at }: SamplePlan,
  context: CommandContext,
): Promise<void> {
  const slots = seeded.map(({ appointment: { status }, event }) => ({ event, isReleased: status === 'cancelled' }))
  const reservations = await reserveSampleDay(bus, providerId, day, slots, at, context)
  await Promise.all(
    seeded.map(({ appointment, event }) => {
      const reservation = reservations.find(({ reservationId }) => reservationId === appointment.reservationId)
      const slot = { ...event.data.slot, overlaps: [...(reservation?.overlaps ?? [])] }
      const commands = toCommands(appointment, { ...event, data: { ...event.data, slot } })
      return bus.executeAll(appointmentDecider, appointment.appointmentId, commands, context, seedOptions)
    }),
  )
}

/** Returns the booking and then the final status, each with the time at which it happened. */
function toCommands({ status, statusAt, bookedAt }: PlannedAppointment, reservation: BookingEvent) {
  const { practiceId } = reservation.data
  const apply: AppointmentCommand = { type: 'ApplyReservation', reservation }
  const booking = { command: apply, at: bookedAt }
  if (status === 'scheduled') return [booking]
  const change: AppointmentCommand = {
    type: 'Change',
    practiceId,
    change: { status },
    fees: defaultFees,
    now: statusAt,
  }
  return [booking, { command: change, at: statusAt }]
}

/** Returns the slot to release; null when the appointment is kept, or was changed by someone else at the same time. */
async function keepOrRemoveOne(
  { bus }: Services,
  { id, revision, isInUse, shouldKeep }: SampleRecord,
  context: CommandContext,
): Promise<Slot | null> {
  const practiceId = PracticeId.parse(context.practiceId)
  const command = { type: shouldKeep ? 'KeepSample' : 'RemoveSample', practiceId } as const
  try {
    const options = { expectedRevision: revision, consistency: 'eventual' } as const
    const { events } = await bus.execute(appointmentDecider, id, command, { ...context, sample: !isInUse }, options)
    return events.find((event) => event.type === 'AppointmentRemoved')?.data.slot ?? null
  } catch (error) {
    // The next round looks at the record again.
    if (!(error instanceof ConcurrencyError || error instanceof CommandRejected)) throw error
    return null
  }
}
