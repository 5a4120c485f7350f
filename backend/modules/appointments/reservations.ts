import type { AppointmentId, ReservationId } from '#contracts/values/ids.ts'
import { type CommandBus, type CommandContext, type CommandResult, CommandRejected } from '#eventstore/command-bus.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import type { Recorded } from '#eventstore/event.ts'
import { appointmentDecider, type AppointmentState } from './decider.ts'
import type { AppointmentEvent, Slot } from './events.ts'
import { keyedQueue } from '#eventstore/execute-in-order.ts'
import { scheduleDecider } from '#modules/schedule/decider.ts'
import type { ScheduleEvent } from '#modules/schedule/events.ts'

/** What is held together with all that follows from it: a booking or a move. */
export type ReservationEvent = Extract<ScheduleEvent, { type: 'SlotHeldForBooking' | 'SlotHeldForMove' }>

/** What an appointment came to. */
export type ReservationResult = CommandResult<AppointmentState, AppointmentEvent>

/** A place by its ids. */
type Where = { holdId: ReservationId; providerId: string; days: readonly string[] }

type Options = { allowOverlap: boolean; dontWait?: boolean }

/** Finding a place for an appointment: over the provider's schedule and the appointment's own record. See docs/decisions/0013. */
export type Reservations = {
  /** Holds the place, lets the appointment follow, and frees the place it leaves. Throws Rejected `slot-taken` (see Taken). */
  place(fact: ReservationEvent, context: CommandContext, options: Options): Promise<ReservationResult>
  /** What `place` does after the schedule has decided; once more does nothing. Null: it was released, the appointment went another way. */
  carryOn(fact: ReservationEvent, context: CommandContext, dontWait?: boolean): Promise<ReservationResult | null>
  /** Makes sure that a place will never be held, unless it is: answers whether it is. Its second day is freed with it. */
  giveUp(place: Where, appointmentId: AppointmentId, context: CommandContext): Promise<boolean>
  /** Frees a place; once more does nothing. */
  release(place: Where, context: CommandContext): Promise<void>
  /** What was decided under a hold in a day of a provider; undefined when nothing was. */
  find(providerId: string, day: string, holdId: string): Promise<Recorded<ScheduleEvent> | undefined>
}

const scheduleId = (providerId: string, day: string | undefined) => `${providerId}-${day}`

/** The ids of all that follows from a hold are made from its own: whoever carries it on writes the same events. */
const reservationKey = (holdId: ReservationId) => ({ idempotencyKey: `hold ${holdId}` })

export function createReservations(bus: CommandBus, store: EventStore): Reservations {
  const turns = keyedQueue()

  /** One after the other within this process: of many at once for one day nobody is turned away as busy. */
  async function hold(fact: ScheduleEvent, day: string | undefined, context: CommandContext, options: Options) {
    const { providerId, holdId } = requireSlot(fact)
    const schedule = scheduleId(providerId, day)
    const command = { type: 'Hold', fact: fact as ReservationEvent, allowOverlap: options.allowOverlap } as const
    const { dontWait = false } = options
    const { state, events } = await turns(schedule, () =>
      bus.execute(scheduleDecider, schedule, command, context, { ...reservationKey(holdId), dontWait }),
    )
    const overlaps = state.holds.find((held) => held.holdId === holdId)?.overlaps ?? []
    return { overlaps, decided: events[0] }
  }

  async function release({ holdId, providerId, days }: Where, context: CommandContext) {
    for (const day of days) {
      const options = { idempotencyKey: `release ${holdId}`, dontWait: true }
      const schedule = scheduleId(providerId, day)
      await turns(schedule, () => bus.execute(scheduleDecider, schedule, { type: 'Release', holdId }, context, options))
    }
  }

  const find: Reservations['find'] = async (providerId, day, holdId) => {
    for await (const event of store.read(`${scheduleDecider.category}-${scheduleId(providerId, day)}`)) {
      const fact = event as unknown as Recorded<ScheduleEvent>
      if ('place' in fact.data && fact.data.place.holdId === holdId) return fact
    }
    return undefined
  }

  const carryOn: Reservations['carryOn'] = async (fact, context, dontWait = false) => {
    const { appointmentId, place } = fact.data
    try {
      const options = { ...reservationKey(place.holdId), dontWait }
      const command = { type: 'Follow', held: fact } as const
      // In turn too: who is turned away as busy here leaves a place behind that only the job frees, seconds later.
      const followed = await turns(appointmentId, () =>
        bus.execute(appointmentDecider, appointmentId, command, context, options),
      )
      for (const event of followed.events)
        if (event.type === 'AppointmentRescheduled') await release(event.data.from, context)
        else if (event.type === 'AppointmentCancelled') await release(event.data.place, context)
      return followed
    } catch (error) {
      if (!(error instanceof CommandRejected) || error.rejection.rejected !== 'not-followed') throw error
      await release(place, context)
      return null
    }
  }

  return {
    carryOn,
    release,
    async place(fact, context, options) {
      const { place, appointmentId, practiceId, patientId } = fact.data
      const [first, second] = place.days
      let overlaps: readonly AppointmentId[] = []
      if (second !== undefined) {
        const along = { type: 'SlotHeldAlong', data: { appointmentId, practiceId, patientId, place } } as const
        overlaps = (await hold(along, second, context, { ...options, dontWait: true })).overlaps
      }
      const whole = {
        ...fact,
        data: { ...fact.data, place: { ...place, overlaps: [...overlaps] } },
      } as ReservationEvent
      try {
        const { decided } = await hold(whole, first, context, { ...options, dontWait: true })
        const known = decided ?? (await find(place.providerId, first ?? '', place.holdId))
        const followed = await carryOn((known ?? whole) as ReservationEvent, context, options.dontWait)
        if (!followed)
          throw new CommandRejected({
            rejected: 'not-followed',
            message: 'This appointment has been changed meanwhile.',
          })
        return followed
      } catch (error) {
        if (second !== undefined && error instanceof CommandRejected) await release(place, context)
        throw error
      }
    },
    async giveUp({ providerId, days, holdId }, appointmentId, context) {
      const [first, ...others] = days
      const command = { type: 'GiveUp', holdId, appointmentId } as const
      const options = { dontWait: true }
      const { state } = await bus.execute(scheduleDecider, scheduleId(providerId, first), command, context, options)
      const stands = state.holds.some((held) => held.holdId === holdId)
      if (!stands) await release({ providerId, days: others, holdId }, context)
      return stands
    },
    find,
  }
}

function requireSlot(fact: ScheduleEvent): Slot {
  if ('place' in fact.data) return fact.data.place
  throw new TypeError(`${fact.type} holds no place`)
}
