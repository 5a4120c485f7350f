import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCommandBus, CommandRejected, RetriesExhausted } from '#eventstore/command-bus.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import { fold } from '#eventstore/decider.ts'
import { appointmentDecider, type AppointmentState } from '#modules/appointments/decider.ts'
import { createReservations } from '#modules/appointments/placing.ts'
import { appointmentsProjection } from '#modules/appointments/projection.ts'
import { scheduleDecider, type SlotTakenRejection } from '#modules/appointments/schedule/decider.ts'
import { readAllEvents } from '#tests/support/events.ts'
import { foldRows } from '#tests/support/rebuild.ts'
import { createMemoryStore } from '#tests/support/memory-store.ts'
import { crashingStore, heal, Killed } from './crashing-store.ts'
import { context, heldForBooking, heldForMove, hold, place, practiceId, appointment } from './appointments.ts'

const clock = () => new Date('2026-11-20T08:00:00.000Z')

/** A practice on a store in memory, whose process can be killed between any two appends. */
function practice() {
  const memory = createMemoryStore()
  const crash = crashingStore(memory)
  const running = () => {
    const bus = createCommandBus({ store: crash.store, clock, waitUntilCaughtUp: async () => undefined })
    return { bus, places: createReservations(bus, crash.store) }
  }
  return { store: memory as EventStore, crash, running, ...running() }
}

/** Every stream of a category, folded. */
async function statesOf<State>(store: EventStore, decider: { category: string; initial: State; evolve: never }) {
  const streams = Map.groupBy(
    (await readAllEvents(store)).filter(({ stream }) => stream.startsWith(`${decider.category}-`)),
    ({ stream }) => stream,
  )
  return [...streams].map(([stream, events]) => ({ stream, state: fold(decider as never, events as never) as State }))
}

/** What the list would show, folded from the record alone. */
async function rowsOf(store: EventStore): Promise<string[]> {
  const rows = await foldRows(store, appointmentsProjection)
  return rows
    .map((row) =>
      [row['id'], row['provider_id'], row['starts_at'], row['duration'], row['status'], row['revision']].join(' '),
    )
    .toSorted()
}

/** What must be true once everything was seen to: each appointment holds exactly its place, and nothing else is held. */
async function expectSound(store: EventStore) {
  const appointments = (await statesOf(store, appointmentDecider as never)).map(
    ({ state }) => state as AppointmentState,
  )
  const known = appointments.filter((state) => state.known)
  const standing = known.filter(({ status }) => status !== 'cancelled')
  const held = (await statesOf(store, scheduleDecider as never)).flatMap(({ stream, state }) =>
    (state as { holds: { holdId: string }[] }).holds.map(({ holdId }) => `${stream} ${holdId}`),
  )
  const due = standing.flatMap(({ place: { providerId, days, holdId } }) =>
    days.map((day) => `schedule-${providerId}-${day} ${holdId}`),
  )
  expect(held.toSorted()).toEqual(due.toSorted())
  expect(await rowsOf(store)).toEqual(
    known
      .map(({ appointmentId, place: { providerId, startsAt, duration }, status, changes }) =>
        [appointmentId, providerId, startsAt, duration, status, changes].join(' '),
      )
      .toSorted(),
  )
  for (const [index, one] of standing.entries())
    for (const other of standing.slice(index + 1)) {
      const span = ({ place: { startsAt, duration } }: typeof one) =>
        [Date.parse(startsAt), Date.parse(startsAt) + duration * 60_000] as const
      const [a, b] = [span(one), span(other)]
      const overlap = one.place.providerId === other.place.providerId && a[0] < b[1] && b[0] < a[1]
      const recorded =
        one.place.overlaps.includes(other.appointmentId) || other.place.overlaps.includes(one.appointmentId)
      if (overlap) expect([one, other, recorded]).toEqual([one, other, true])
    }
}

describe('finding a place', () => {
  it('books, moves and frees', async () => {
    const { store, places } = practice()
    await places.place(heldForBooking(1, place({ hold: 1 })), context, { allowOverlap: false })
    const to = place({ hold: 2, startsAt: '2026-11-21T10:00' })
    await places.place(heldForMove(1, to, 1), context, { allowOverlap: false })
    await places.place(heldForBooking(2, place({ hold: 3 })), context, { allowOverlap: false })
    await expectSound(store)
  })

  it('says who has the slot, and holds nothing', async () => {
    const { store, places } = practice()
    await places.place(heldForBooking(1, place({ hold: 1 })), context, { allowOverlap: false })
    const late = heldForBooking(2, place({ hold: 2, startsAt: '2026-11-20T09:15' }))
    const error = await places.place(late, context, { allowOverlap: false }).catch((thrown: unknown) => thrown)
    expect((error as CommandRejected).rejection).toMatchObject({ rejected: 'slot-taken' })
    expect(((error as CommandRejected).rejection as SlotTakenRejection).by.appointmentId).toBe(appointment(1))
    await expectSound(store)
  })

  it('lets two appointments share a time when asked to, and records it', async () => {
    const { places } = practice()
    await places.place(heldForBooking(1, place({ hold: 1 })), context, { allowOverlap: false })
    const both = await places.place(heldForBooking(2, place({ hold: 2 })), context, { allowOverlap: true })
    expect(both.state).toMatchObject({ place: { overlaps: [appointment(1)] } })
  })

  it('lets exactly one of many have a slot', async () => {
    const { store, places } = practice()
    const tries = Array.from({ length: 40 }, (_, n) =>
      places.place(heldForBooking(n, place({ hold: n })), context, { allowOverlap: false }).then(
        () => 'booked',
        (error: CommandRejected) => error.rejection.rejected,
      ),
    )
    const came = await Promise.all(tries)
    expect(came.filter((each) => each === 'booked')).toHaveLength(1)
    expect(came.filter((each) => each === 'slot-taken')).toHaveLength(39)
    await expectSound(store)
  })

  it('lets one of two who move the same appointment win, and frees what the other held', async () => {
    const { store, places } = practice()
    await places.place(heldForBooking(1, place({ hold: 1 })), context, { allowOverlap: false })
    const moves = [10, 11].map((n) => heldForMove(1, place({ hold: n, startsAt: `2026-11-2${n - 9}T14:00` }), 1))
    const came = await Promise.allSettled(moves.map((move) => places.place(move, context, { allowOverlap: false })))
    expect(came.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    await expectSound(store)
  })

  it('holds both days of an appointment past midnight, or neither', async () => {
    const { store, places } = practice()
    const night = { startsAt: '2026-11-20T23:30', duration: 90 }
    await places.place(heldForBooking(1, place({ hold: 1, startsAt: '2026-11-20T23:45', duration: 15 })), context, {
      allowOverlap: false,
    })
    await expect(
      places.place(heldForBooking(2, place({ hold: 2, ...night })), context, { allowOverlap: false }),
    ).rejects.toThrow('slot-taken')
    await expectSound(store)
    await places.place(heldForBooking(3, place({ hold: 3, ...night, provider: 2 })), context, { allowOverlap: false })
    const early = heldForBooking(4, place({ hold: 4, startsAt: '2026-11-21T00:30', provider: 2 }))
    await expect(places.place(early, context, { allowOverlap: false })).rejects.toThrow('slot-taken')
    await expectSound(store)
  })

  it.each([0, 1, 2, 3, 4, 5])(
    'is killed after %i appends of a move past midnight, and comes to an end',
    async (appends) => {
      const { store, crash, running, places } = practice()
      await places.place(heldForBooking(1, place({ hold: 1, startsAt: '2026-11-19T23:30', duration: 60 })), context, {
        allowOverlap: false,
      })
      const to = place({ hold: 2, startsAt: '2026-11-20T23:30', duration: 60 })
      crash.after(appends)
      const killed = await places
        .place(heldForMove(1, to, 1), context, { allowOverlap: false })
        .catch((error: unknown) => error)
      expect(killed instanceof Killed).toBe(appends < 5)
      crash.revive()
      await heal(store, running())
      await expectSound(store)
      const [only] = await statesOf(store, appointmentDecider as never)
      // Once the schedule has decided, the appointment is there; before, nothing has happened.
      expect(only?.state).toMatchObject({ place: { holdId: appends >= 2 ? hold(2) : hold(1) } })
    },
  )
})

type Step =
  | {
      do: 'book' | 'move'
      appointment: number
      provider: number
      quarter: number
      duration: number
      allow: boolean
      dies: number
    }
  | { do: 'cancel' | 'complete'; appointment: number; dies: number }

const steps = fc.array(
  fc.oneof(
    fc.record({
      do: fc.constantFrom('book' as const, 'move' as const),
      appointment: fc.integer({ min: 1, max: 6 }),
      provider: fc.integer({ min: 1, max: 2 }),
      // Around midnight, so that days are left and crossed all the time.
      quarter: fc.integer({ min: -6, max: 6 }),
      duration: fc.constantFrom(15, 30, 60),
      allow: fc.boolean(),
      dies: fc.integer({ min: 0, max: 12 }),
    }),
    fc.record({
      do: fc.constantFrom('cancel' as const, 'complete' as const),
      appointment: fc.integer({ min: 1, max: 6 }),
      dies: fc.integer({ min: 0, max: 12 }),
    }),
  ),
  { maxLength: 25 },
)

const expected = (error: unknown) => {
  if (!(error instanceof CommandRejected || error instanceof Killed || error instanceof RetriesExhausted)) throw error
}

/** Several people at once, some of whose processes are killed in the middle. */
async function work(house: ReturnType<typeof practice>, all: readonly Step[], together: number) {
  let holds = 100
  const run = async (step: Step) => {
    const { bus, places } = house
    const id = appointment(step.appointment)
    const { state } = await bus.load(appointmentDecider, id)
    if (!('quarter' in step)) {
      if (!state.known) return
      const status = step.do === 'cancel' ? 'cancelled' : 'completed'
      const command = {
        type: 'Change',
        practiceId,
        change: { status },
        fees: everyFee,
        now: '2026-11-20T10:00:00.000Z',
      } as const
      const { events } = await bus.execute(appointmentDecider, id, command, context)
      for (const event of events)
        if (event.type === 'AppointmentCancelled') await places.release(event.data.place, context)
      return
    }
    const startsAt = new Date(Date.parse('2026-11-20T24:00:00.000Z') + step.quarter * 900_000)
      .toISOString()
      .slice(0, 16)
    const { duration, provider } = step
    const at = place({ hold: ++holds, startsAt, duration, provider })
    const options = { allowOverlap: step.allow }
    if (step.do === 'book') await places.place(heldForBooking(step.appointment, at), context, options)
    else if (state.known)
      await places.place(
        {
          ...heldForMove(step.appointment, at, 0),
          data: { ...heldForMove(step.appointment, at, 0).data, leaves: state.place.holdId },
        },
        context,
        options,
      )
  }
  for (let at = 0; at < all.length; at += together) {
    const now = all.slice(at, at + together)
    const [first] = now
    if (first && first.dies < 8) house.crash.after(first.dies)
    await Promise.all(now.map((step) => run(step).catch(expected)))
    house.crash.revive()
    if (first && first.dies < 8) await heal(house.store, house.running())
  }
  await heal(house.store, house.running())
}

const everyFee = Object.fromEntries(
  ['consultation', 'follow-up', 'check-up', 'emergency', 'procedure'].map((type) => [
    type,
    { cents: 100, currency: 'USD' },
  ]),
) as never

describe('any work of several people, however often it is interrupted', () => {
  it('leaves every appointment with exactly its place, and no two with one, unless recorded', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 1, max: 4 }), async (all, together) => {
        const house = practice()
        await work(house, all, together)
        await expectSound(house.store)
      }),
      { numRuns: 150 },
    )
  })
})
