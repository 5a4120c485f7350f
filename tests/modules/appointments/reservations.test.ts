import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCommandBus, type SeenStream } from '#eventstore/command-bus.ts'
import { CommandRejected, RetriesExhausted } from '#eventstore/command-errors.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import { createRequestScope, runInRequest } from '#eventstore/request-scope.ts'
import { fold } from '#eventstore/decider.ts'
import { type AppointmentCommand, appointmentDecider, type AppointmentState } from '#modules/appointments/decider.ts'
import { requireAppointment } from '#modules/appointments/require-records.ts'
import { changeAndRelease, reserveSlot } from '#modules/appointments/reservations.ts'
import { appointmentsProjection } from '#modules/appointments/projection.ts'
import { scheduleDecider, type ScheduleState, type SlotTakenRejection } from '#modules/schedule/decider.ts'
import type { ReservationEvent } from '#modules/schedule/events.ts'
import { startDeadline } from '#runtime/deadline.ts'
import { readAllEvents } from '#tests/support/events.ts'
import { foldRows } from '#tests/support/rebuild.ts'
import { createMemoryStore } from '#tests/support/memory-store.ts'
import { crashingStore, heal, ProcessCrashed } from './crashing-store.ts'
import { context, reservedForBooking, reservedForMove, reservation, slot, practiceId, appointment } from './fixtures.ts'

const clock = () => new Date('2026-11-20T08:00:00.000Z')

/** Creates an application on a store in memory whose process can crash between any two appends. */
function createApp() {
  const memory = createMemoryStore()
  const crash = crashingStore(memory)
  const running = () => {
    const bus = createCommandBus({ store: crash.store, clock, waitUntilCaughtUp: async () => undefined })
    const reserve = (event: ReservationEvent, options: Parameters<typeof reserveSlot>[3]) =>
      reserveSlot({ bus, store: crash.store, clock }, event, context, options)
    const load = (n: number) => requireAppointment(bus, practiceId, appointment(n))
    return { bus, reserve, load }
  }
  return { store: memory as EventStore, crash, running, ...running() }
}

/** Folds every stream of a category. */
async function statesOf<State>(store: EventStore, decider: { category: string; initial: State; evolve: never }) {
  const streams = Map.groupBy(
    (await readAllEvents(store)).filter(({ stream }) => stream.startsWith(`${decider.category}-`)),
    ({ stream }) => stream,
  )
  return [...streams].map(([stream, events]) => ({ stream, state: fold(decider as never, events as never) as State }))
}

/** Folds the rows of the read model from the events. */
async function rowsOf(store: EventStore): Promise<string[]> {
  const rows = await foldRows(store, appointmentsProjection)
  return rows
    .map((row) =>
      [row['id'], row['provider_id'], row['starts_at'], row['duration'], row['status'], row['revision']].join(' '),
    )
    .toSorted()
}

/** Expects that each appointment that is not cancelled holds exactly its slot, and that no other slot is reserved. */
async function expectSound(store: EventStore) {
  const appointments = (await statesOf(store, appointmentDecider as never)).map(
    ({ state }) => state as AppointmentState,
  )
  const known = appointments.filter((state) => state.known)
  const active = known.filter(({ status }) => status !== 'cancelled')
  const reserved = (await statesOf(store, scheduleDecider as never)).flatMap(({ stream, state }) =>
    (state as ScheduleState).reservations.map(({ reservationId }) => `${stream} ${reservationId}`),
  )
  const expectedReservations = active.flatMap(({ slot: { providerId, days, reservationId } }) =>
    days.map((day) => `schedule-${providerId}-${day} ${reservationId}`),
  )
  expect(reserved.toSorted()).toEqual(expectedReservations.toSorted())
  expect(await rowsOf(store)).toEqual(
    known
      .map(({ appointmentId, slot: { providerId, startsAt, duration }, status, revision }) =>
        [appointmentId, providerId, startsAt, duration, status, revision].join(' '),
      )
      .toSorted(),
  )
  for (const [index, one] of active.entries())
    for (const other of active.slice(index + 1)) {
      const span = ({ slot: { startsAt, duration } }: typeof one) =>
        [Date.parse(startsAt), Date.parse(startsAt) + duration * 60_000] as const
      const [a, b] = [span(one), span(other)]
      const overlap = one.slot.providerId === other.slot.providerId && a[0] < b[1] && b[0] < a[1]
      const isRecorded =
        one.slot.overlaps.includes(other.appointmentId) || other.slot.overlaps.includes(one.appointmentId)
      if (overlap) expect([one, other, isRecorded]).toEqual([one, other, true])
    }
}

/** A patient about whom nothing has changed since the caller read it, and one who was changed since. */
const unchanged: readonly SeenStream[] = [{ stream: 'patient-1', expected: 'no-stream' }]
const changed: readonly SeenStream[] = [...unchanged, { stream: 'provider-1', expected: 4n }]

describe('a reservation in one append', () => {
  const booking = reservedForBooking(1, slot({ reservation: 1 }))
  const types = async (store: EventStore) => (await readAllEvents(store)).map(({ type }) => type)

  it('is written with its appointment, and needs no job', async () => {
    const { store, crash, reserve } = createApp()
    crash.after(1)
    const booked = await reserve(booking, { allowOverlap: false, seen: unchanged })
    expect(booked).toMatchObject({ revision: 0n, bookedAt: clock().toISOString(), state: { status: 'scheduled' } })
    const [reserved, confirmed] = await readAllEvents(store)
    expect(reserved).toMatchObject({ type: 'SlotReservedForBooking', data: { isConfirmed: true } })
    expect(confirmed).toMatchObject({ type: 'AppointmentBooked', position: booked.position })
    expect(booked.events).toMatchObject([{ type: 'AppointmentBooked' }])
    await expectSound(store)
  })

  it('is one of two that a job can finish when its patient or provider has changed at the same moment', async () => {
    const { store, crash, running, reserve } = createApp()
    crash.after(2)
    await reserve(booking, { allowOverlap: false, seen: changed }).catch(expected)
    const [reserved, ...others] = await readAllEvents(store)
    expect([others, reserved?.data]).toEqual([[], booking.data])
    crash.revive()
    await heal(store, running())
    expect(await types(store)).toEqual(['SlotReservedForBooking', 'AppointmentBooked'])
    await expectSound(store)
  })

  it('is one of two in a store that writes to one stream at a time', async () => {
    const { appendTogether: _, ...store } = createMemoryStore()
    const bus = createCommandBus({ store, clock, waitUntilCaughtUp: async () => undefined })
    const options = { allowOverlap: false, seen: unchanged }
    const booked = await reserveSlot({ bus, store, clock }, booking, context, options)
    expect(booked.state).toMatchObject({ status: 'scheduled' })
    expect((await readAllEvents(store))[0]?.data).toEqual(booking.data)
  })

  it('is refused as any other, and may overlap as any other', async () => {
    const { store, reserve } = createApp()
    await reserve(booking, { allowOverlap: false, seen: unchanged })
    const other = reservedForBooking(2, slot({ reservation: 2 }), { type: 'procedure' })
    await expect(reserve(other, { allowOverlap: false, seen: unchanged })).rejects.toThrow('slot-taken')
    const both = await reserve(other, { allowOverlap: true, seen: unchanged })
    expect(both.state).toMatchObject({ slot: { overlaps: [appointment(1)] } })
    await expectSound(store)
  })

  it('is not repeated', async () => {
    const { store, reserve } = createApp()
    const first = await reserve(booking, { allowOverlap: false, seen: unchanged })
    for (const seen of [unchanged, changed]) {
      const again = await reserve(booking, { allowOverlap: false, seen })
      expect(again).toMatchObject({ state: first.state, revision: 0n, bookedAt: null })
    }
    expect(await types(store)).toEqual(['SlotReservedForBooking', 'AppointmentBooked'])
  })

  it.each([1, 2])(
    'releases its slot when it is entered as cancelled, with a crash after %i appends',
    async (appends) => {
      const { store, crash, running, reserve } = createApp()
      crash.after(appends)
      const cancelled = reservedForBooking(1, slot({ reservation: 1 }), { status: 'cancelled' })
      await reserve(cancelled, { allowOverlap: false, seen: unchanged }).catch(expected)
      crash.revive()
      await heal(store, running())
      expect(await types(store)).toEqual([
        'SlotReservedForBooking',
        'AppointmentBooked',
        'AppointmentCancelled',
        'SlotReleased',
      ])
      await expectSound(store)
    },
  )

  it('reaches its status when it is entered after it took place', async () => {
    const { store, reserve } = createApp()
    const completion = { fee: { cents: 100, currency: 'USD' }, completedAt: clock().toISOString() } as const
    const late = reservedForBooking(1, slot({ reservation: 1 }), { status: 'completed', completion })
    const booked = await reserve(late, { allowOverlap: false, seen: unchanged })
    expect(booked).toMatchObject({ revision: 1n, bookedAt: null, state: { status: 'completed', completion } })
    expect(await types(store)).toEqual(['SlotReservedForBooking', 'AppointmentBooked', 'AppointmentCompleted'])
    await expectSound(store)
  })
})

/** The cancellation of an appointment, which stays on the day list. */
const cancellation: Extract<AppointmentCommand, { type: 'Cancel' }> = {
  type: 'Cancel',
  practiceId,
  keepOnDayList: true,
  cause: 'requested',
}

describe('a move in one append', () => {
  const allow = { allowOverlap: false, seen: unchanged }
  const later = slot({ reservation: 2, startsAt: '2026-11-20T09:15' })
  const nextDay = slot({ reservation: 2, startsAt: '2026-11-21T10:00' })
  const night = slot({ reservation: 1, startsAt: '2026-11-19T23:45' })
  const after = async (store: EventStore, from = 2) =>
    (await readAllEvents(store)).slice(from).map(({ stream, type, data }) => {
      const isLast = Boolean(data['isConfirmed'] ?? data['isReleased'])
      return `${stream.slice(stream.lastIndexOf('-') - 7)} ${type}${isLast ? ', done' : ''}`
    })

  /** Books the first appointment, and returns what moves it. */
  async function newMove(from = slot({ reservation: 1 })) {
    const app = createApp()
    await app.reserve(reservedForBooking(1, from), { allowOverlap: false })
    const moved = await app.load(1)
    return { ...app, moved, before: (await readAllEvents(app.store)).length }
  }

  it.each([
    ['across its own slot', slot({ reservation: 1 }), later, ['SlotReservedForMove', 'SlotReleased']],
    ['to another day', slot({ reservation: 1 }), nextDay, ['SlotReservedForMove']],
    ['from midnight', night, nextDay, ['SlotReservedForMove']],
  ])('%s is written with the release of the slot that it leaves, and needs no job', async (_, from, to, first) => {
    const { store, crash, moved, before, reserve } = await newMove(from)
    crash.after(1)
    const result = await reserve(reservedForMove(1, to, 1), { ...allow, moved })
    expect(result).toMatchObject({ state: { slot: { reservationId: reservation(2) } } })
    const events = (await readAllEvents(store)).slice(before)
    const isSameDay = first.length === 2
    expect(events.map(({ type }) => type)).toEqual([
      ...first,
      'AppointmentRescheduled',
      ...(isSameDay ? [] : from.days.map(() => 'SlotReleased')),
    ])
    expect(events.map(({ data }) => data['isConfirmed'] ?? data['isReleased']).filter(Boolean)).toEqual([true, true])
    await expectSound(store)
  })

  it('is one of steps that jobs can finish when its patient or provider has changed at the same moment', async () => {
    const { store, crash, running, moved, before, reserve } = await newMove()
    crash.after(2)
    await reserve(reservedForMove(1, nextDay, 1), { ...allow, seen: changed, moved }).catch(expected)
    expect(await after(store, before)).toHaveLength(1)
    crash.revive()
    await heal(store, running())
    expect((await after(store, before)).every((line) => !line.endsWith('done'))).toBe(true)
    await expectSound(store)
  })

  it('is one of steps when the appointment was changed since the caller read it', async () => {
    const { store, bus, moved, reserve, before } = await newMove()
    const change = { type: 'Change', practiceId, change: { notes: 'Call' }, fees: everyFee, now: '' } as const
    await bus.execute(appointmentDecider, appointment(1), change, context)
    const result = await reserve(reservedForMove(1, nextDay, 1), { ...allow, moved })
    expect(result.state).toMatchObject({ notes: 'Call', slot: { reservationId: reservation(2) } })
    expect((await after(store, before)).every((line) => !line.endsWith('done'))).toBe(true)
    await expectSound(store)
  })

  it('is refused, with nothing written, when the user saw an older appointment', async () => {
    const { store, moved, before, reserve } = await newMove()
    const move = reservedForMove(1, nextDay, 1, { expectedRevision: 3 })
    await expect(reserve(move, { ...allow, moved })).rejects.toThrow('superseded')
    expect(await after(store, before)).toEqual([])
  })

  it('is not repeated', async () => {
    const { store, moved, before, reserve, load } = await newMove()
    await reserve(reservedForMove(1, later, 1), { ...allow, moved })
    for (const again of [moved, await load(1)]) {
      const result = await reserve(reservedForMove(1, later, 1), { ...allow, moved: again })
      expect(result).toMatchObject({ revision: 1n, state: { slot: { reservationId: reservation(2) } } })
    }
    expect(await after(store, before)).toHaveLength(3)
  })
})

describe('a cancellation in one append', () => {
  it.each([
    ['a day', slot({ reservation: 1 })],
    ['two days', slot({ reservation: 1, startsAt: '2026-11-20T23:45' })],
  ])('releases the slot on %s, and needs no job', async (_, at) => {
    const { store, crash, bus, reserve, load } = createApp()
    await reserve(reservedForBooking(1, at), { allowOverlap: false })
    const before = (await readAllEvents(store)).length
    crash.after(1)
    const result = await changeAndRelease({ bus }, cancellation, await load(1), context)
    expect(result).toMatchObject({ revision: 1n, state: { status: 'cancelled', isOnDayList: true } })
    const events = (await readAllEvents(store)).slice(before)
    expect(events.map(({ type }) => type).toSorted()).toEqual([
      'AppointmentCancelled',
      ...at.days.map(() => 'SlotReleased'),
    ])
    expect(events.find(({ type }) => type === 'AppointmentCancelled')?.data).toMatchObject({ isReleased: true })
    await expectSound(store)
  })

  it('is one of steps when the appointment was changed since the caller read it', async () => {
    const { store, crash, running, bus, reserve, load } = createApp()
    await reserve(reservedForBooking(1, slot({ reservation: 1 })), { allowOverlap: false })
    const loaded = await load(1)
    const confirm = { type: 'Change', practiceId, change: { status: 'confirmed' }, fees: everyFee, now: '' } as const
    await bus.execute(appointmentDecider, appointment(1), confirm, context)
    crash.after(3)
    await changeAndRelease({ bus }, cancellation, loaded, context).catch(expected)
    const cancelled = (await readAllEvents(store)).find(({ type }) => type === 'AppointmentCancelled')
    expect(cancelled?.data).toMatchObject({ from: 'confirmed' })
    expect(cancelled?.data).not.toHaveProperty('isReleased')
    crash.revive()
    await heal(store, running())
    await expectSound(store)
  })

  it('counts as written for a repetition of its request', async () => {
    const { bus, reserve, load } = createApp()
    await reserve(reservedForBooking(1, slot({ reservation: 1 })), { allowOverlap: false })
    const send = async (isRepetition: boolean) => {
      const scope = createRequestScope({ intentId: 'cancel', isRepetition, deadline: startDeadline(60_000) })
      const run = async () => changeAndRelease({ bus }, cancellation, await load(1), context)
      return { result: await runInRequest(scope, run), outcome: scope.getOutcome() }
    }
    const first = await send(false)
    const second = await send(true)
    expect([first.outcome, second.outcome]).toEqual(['written', 'written'])
    expect([first.result.revision, second.result.revision]).toEqual([1n, 1n])
  })

  it('happens once, and hides a cancelled appointment from the day list later', async () => {
    const { store, bus, reserve, load } = createApp()
    await reserve(reservedForBooking(1, slot({ reservation: 1 })), { allowOverlap: false })
    const loaded = await load(1)
    await Promise.all([1, 2].map(() => changeAndRelease({ bus }, cancellation, loaded, context)))
    await changeAndRelease({ bus }, { ...cancellation, keepOnDayList: false }, await load(1), context)
    expect((await readAllEvents(store)).map(({ type }) => type).toSorted()).toEqual([
      'AppointmentBooked',
      'AppointmentCancelled',
      'AppointmentRemovedFromDayList',
      'SlotReleased',
      'SlotReservedForBooking',
    ])
    await expectSound(store)
  })
})

describe('a reservation', () => {
  it('is confirmed for a booking and for a move, which releases the old slot', async () => {
    const { store, reserve } = createApp()
    await reserve(reservedForBooking(1, slot({ reservation: 1 })), { allowOverlap: false })
    const to = slot({ reservation: 2, startsAt: '2026-11-21T10:00' })
    await reserve(reservedForMove(1, to, 1), { allowOverlap: false })
    await reserve(reservedForBooking(2, slot({ reservation: 3 })), { allowOverlap: false })
    await expectSound(store)
  })

  it('of a taken slot is refused with the conflict, and nothing is reserved', async () => {
    const { store, reserve } = createApp()
    await reserve(reservedForBooking(1, slot({ reservation: 1 })), { allowOverlap: false })
    const late = reservedForBooking(2, slot({ reservation: 2, startsAt: '2026-11-20T09:15' }))
    const error = await reserve(late, { allowOverlap: false }).catch((thrown: unknown) => thrown)
    expect((error as CommandRejected).rejection).toMatchObject({ rejected: 'slot-taken' })
    expect(((error as CommandRejected).rejection as SlotTakenRejection).conflict.appointmentId).toBe(appointment(1))
    await expectSound(store)
  })

  it('may overlap another when requested, and records it', async () => {
    const { reserve } = createApp()
    await reserve(reservedForBooking(1, slot({ reservation: 1 })), { allowOverlap: false })
    const other = reservedForBooking(2, slot({ reservation: 2 }), { type: 'procedure' })
    const both = await reserve(other, { allowOverlap: true })
    expect(both.state).toMatchObject({ slot: { overlaps: [appointment(1)] } })
  })

  it('succeeds for exactly one of many concurrent requests for a slot', async () => {
    const { store, reserve } = createApp()
    const tries = Array.from({ length: 40 }, (_, n) =>
      reserve(reservedForBooking(n, slot({ reservation: n })), { allowOverlap: false }).then(
        () => 'booked',
        (error: CommandRejected) => error.rejection.rejected,
      ),
    )
    const came = await Promise.all(tries)
    expect(came.filter((each) => each === 'booked')).toHaveLength(1)
    expect(came.filter((each) => each === 'slot-taken')).toHaveLength(39)
    await expectSound(store)
  })

  it('of two concurrent moves of one appointment is confirmed once; the other slot is released', async () => {
    const { store, reserve } = createApp()
    await reserve(reservedForBooking(1, slot({ reservation: 1 })), { allowOverlap: false })
    const moves = [10, 11].map((n) =>
      reservedForMove(1, slot({ reservation: n, startsAt: `2026-11-2${n - 9}T14:00` }), 1),
    )
    const came = await Promise.allSettled(moves.map((move) => reserve(move, { allowOverlap: false })))
    expect(came.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    await expectSound(store)
  })

  it('past midnight reserves both days, or neither', async () => {
    const { store, reserve } = createApp()
    const night = { startsAt: '2026-11-20T23:30', duration: 90 }
    await reserve(reservedForBooking(1, slot({ reservation: 1, startsAt: '2026-11-20T23:45', duration: 15 })), {
      allowOverlap: false,
    })
    await expect(
      reserve(reservedForBooking(2, slot({ reservation: 2, ...night })), { allowOverlap: false }),
    ).rejects.toThrow('slot-taken')
    await expectSound(store)
    await reserve(reservedForBooking(3, slot({ reservation: 3, ...night, provider: 2 })), {
      allowOverlap: false,
    })
    const early = reservedForBooking(4, slot({ reservation: 4, startsAt: '2026-11-21T00:30', provider: 2 }))
    await expect(reserve(early, { allowOverlap: false })).rejects.toThrow('slot-taken')
    await expectSound(store)
  })

  it.each([0, 1, 2, 3, 4, 5])(
    'is completed or undone after a crash after %i appends of a move past midnight',
    async (appends) => {
      const { store, crash, running, reserve } = createApp()
      await reserve(reservedForBooking(1, slot({ reservation: 1, startsAt: '2026-11-19T23:30', duration: 60 })), {
        allowOverlap: false,
      })
      const to = slot({ reservation: 2, startsAt: '2026-11-20T23:30', duration: 60 })
      crash.after(appends)
      const result = await reserve(reservedForMove(1, to, 1), { allowOverlap: false }).catch((error: unknown) => error)
      expect(result instanceof ProcessCrashed).toBe(appends < 5)
      crash.revive()
      await heal(store, running())
      await expectSound(store)
      const [only] = await statesOf(store, appointmentDecider as never)
      // Once the first day has accepted the reservation, the appointment moves; before, it does not.
      expect(only?.state).toMatchObject({ slot: { reservationId: appends >= 2 ? reservation(2) : reservation(1) } })
    },
  )
})

type Step =
  | {
      action: 'book' | 'move'
      appointment: number
      provider: number
      quarter: number
      duration: number
      allow: boolean
      /** The streams that the caller has read; undefined for a caller that read none, and so books in two appends. */
      seen: readonly SeenStream[] | undefined
      crashesAfter: number
    }
  | { action: 'cancel' | 'complete'; appointment: number; isStale: boolean; crashesAfter: number }

const steps = fc.array(
  fc.oneof(
    fc.record({
      action: fc.constantFrom('book' as const, 'move' as const),
      appointment: fc.integer({ min: 1, max: 6 }),
      provider: fc.integer({ min: 1, max: 2 }),
      // Around midnight, so that many appointments touch two days or change their day.
      quarter: fc.integer({ min: -6, max: 6 }),
      duration: fc.constantFrom(15, 30, 60),
      allow: fc.boolean(),
      seen: fc.constantFrom(undefined, unchanged, unchanged, changed),
      crashesAfter: fc.integer({ min: 0, max: 12 }),
    }),
    fc.record({
      action: fc.constantFrom('cancel' as const, 'complete' as const),
      appointment: fc.integer({ min: 1, max: 6 }),
      isStale: fc.boolean(),
      crashesAfter: fc.integer({ min: 0, max: 12 }),
    }),
  ),
  { maxLength: 25 },
)

const expected = (error: unknown) => {
  if (!(error instanceof CommandRejected || error instanceof ProcessCrashed || error instanceof RetriesExhausted))
    throw error
}

/** Runs steps of several concurrent users, some of whose processes crash. */
async function work(app: ReturnType<typeof createApp>, all: readonly Step[], together: number) {
  let reservations = 100
  const run = async (step: Step) => {
    const { bus, reserve } = app
    const id = appointment(step.appointment)
    const { state } = await bus.load(appointmentDecider, id)
    if (!('quarter' in step)) {
      if (!state.known) return
      const status = step.action === 'cancel' ? 'cancelled' : 'completed'
      const command = {
        type: 'Change',
        practiceId,
        change: { status },
        fees: everyFee,
        now: '2026-11-20T10:00:00.000Z',
      } as const
      const loaded = await app.load(step.appointment)
      const change = { notes: `${++reservations}` }
      // Read too early: the store refuses one append, and the steps read the appointment again.
      if (step.isStale) await bus.execute(appointmentDecider, id, { ...command, change }, context)
      await changeAndRelease({ bus }, command, loaded, context)
      return
    }
    const startsAt = new Date(Date.parse('2026-11-20T24:00:00.000Z') + step.quarter * 900_000)
      .toISOString()
      .slice(0, 16)
    const { duration, provider } = step
    const at = slot({ reservation: ++reservations, startsAt, duration, provider })
    const options = { allowOverlap: step.allow, ...(step.seen ? { seen: step.seen } : {}) }
    if (step.action === 'book') await reserve(reservedForBooking(step.appointment, at), options)
    else if (state.known)
      await reserve(reservedForMove(step.appointment, at, 0, { previousReservationId: state.slot.reservationId }), {
        ...options,
        moved: await app.load(step.appointment),
      })
  }
  for (let at = 0; at < all.length; at += together) {
    const now = all.slice(at, at + together)
    const [first] = now
    if (first && first.crashesAfter < 8) app.crash.after(first.crashesAfter)
    await Promise.all(now.map((step) => run(step).catch(expected)))
    app.crash.revive()
    if (first && first.crashesAfter < 8) await heal(app.store, app.running())
  }
  await heal(app.store, app.running())
}

const everyFee = Object.fromEntries(
  ['consultation', 'follow-up', 'check-up', 'emergency', 'procedure'].map((type) => [
    type,
    { cents: 100, currency: 'USD' },
  ]),
) as never

describe('concurrent users with crashes', () => {
  it('leave every appointment with exactly its slot, and no two with the same one, unless recorded', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 1, max: 4 }), async (all, together) => {
        const app = createApp()
        await work(app, all, together)
        await expectSound(app.store)
      }),
      { numRuns: 150 },
    )
  })
})
