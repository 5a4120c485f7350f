import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toLocalDateTime } from '#contracts/values/calendar.ts'
import { ConfirmationChannel, ReminderTiming, ReminderType } from '#contracts/values/confirmations.ts'
import { AppointmentId, type ConfirmationId, PatientId, ReservationId } from '#contracts/values/ids.ts'
import type { AppointmentStatus } from '#contracts/values/appointments.ts'
import { isRejection } from '#eventstore/decider.ts'
import type { AppointmentEvent } from '#modules/appointments/events.ts'
import { choosePlans, type Question, toConfirmations } from '#modules/confirmations/choose-plans.ts'
import {
  confirmationDecider,
  type ConfirmationCommand,
  type ConfirmationState,
} from '#modules/confirmations/decider.ts'
import { computeDue, findMorning } from '#modules/confirmations/due.ts'
import type { ConfirmationEvent, ConfirmationSettingsChanged } from '#modules/confirmations/events.ts'
import { findObstacle } from '#modules/confirmations/obstacle.ts'
import { askPatients, jobNames } from '#modules/confirmations/process-manager.ts'
import { getJobRequests } from '#process-managers/process-manager.ts'
import { practiceId, slot } from '#tests/modules/appointments/fixtures.ts'
import { recordedEvent } from '#tests/support/events.ts'
import { cases } from '#tests/support/long.ts'

const zone = 'America/New_York'
const minuteMs = 60_000

/** A stay of some weeks around one of the clock changes of 2026, on March 8 and November 1. */
const starts = { spring: Date.parse('2026-02-25T12:00:00.000Z'), autumn: Date.parse('2026-10-20T12:00:00.000Z') }

/** Long enough for all jobs. */
const stayMs = 60 * 24 * 60 * minuteMs

const count = 12
const which = fc.nat({ max: count - 1 })
/** A time within four weeks, in steps of a quarter of an hour. */
const time = fc.nat({ max: 4 * 7 * 96 }).map((quarters) => quarters * 15)
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('book' as const), which, time }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('move' as const), which, time }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('cancel' as const, 'confirm' as const), which }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('stop-texts' as const, 'resume-texts' as const), which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('die' as const, 'remove' as const), which }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('change-settings' as const),
      reminderType: fc.constantFrom(...ReminderType.options),
      reminderTiming: fc.constantFrom(...ReminderTiming.options),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('switch' as const), isOn: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('resend' as const, 'answer' as const), which }) },
  /** `isDown`: no worker runs in these minutes, as in an outage. */
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      minutes: fc.nat({ max: 3 * 24 * 60 }),
      isDown: fc.boolean(),
    }),
  },
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

type Appointment = {
  appointmentId: AppointmentId
  patientId: PatientId
  status: AppointmentStatus
  reservationId: ReservationId
  startsAt: string
  /** The instant since which nothing has changed for this slot. */
  since: string
}
type Patient = { removed: boolean; deceased: boolean; hasStoppedTexts: boolean }
type Job = { job: string; data: object; startAfter: string; priority: number; order: number }
type Message = { confirmationId: ConfirmationId; attempt: number; channel: ConfirmationChannel; at: string }

const toId = (kind: string, n: number) => `00000000-0000-4000-8000-${kind}${String(n).padStart(12 - kind.length, '0')}`

/**
 * A practice in memory: the process manager enqueues jobs, which run when they are due, or later; each may run twice, as after a
 * crash. What a job decides is decided by the functions of the product.
 */
function createPractice(startMs: number, isRepeated: () => boolean) {
  let nowMs = startMs
  let order = 0
  let reservations = 0
  let settings = { reminderType: 'both', reminderTiming: '24h' } as Pick<
    ConfirmationSettingsChanged['data'],
    'reminderType' | 'reminderTiming'
  >
  let isSwitchedOn = true
  const appointments = new Map<number, Appointment>()
  const patients = Array.from({ length: count }, (): Patient => ({
    removed: false,
    deceased: false,
    hasStoppedTexts: false,
  }))
  const states = new Map<ConfirmationId, ConfirmationState>()
  const jobs: Job[] = []
  const messages: Message[] = []
  const outages: { from: string; until: string }[] = []
  const toNow = () => new Date(nowMs).toISOString()
  const stateOf = (id: ConfirmationId) => states.get(id) ?? confirmationDecider.initial
  const indexOf = (id: string) => [...appointments].find(([, { appointmentId }]) => appointmentId === id)?.[0] ?? -1

  function enqueue(event: AppointmentEvent | ConfirmationEvent | ConfirmationSettingsChanged): void {
    const recorded = recordedEvent(event, { metadata: { practiceId, at: toNow() } })
    for (const { job, data, startAfter = toNow(), priority = 0 } of getJobRequests(askPatients, recorded))
      jobs.push({ job, data, startAfter, priority, order: order++ })
  }

  function execute(id: ConfirmationId, command: ConfirmationCommand): boolean {
    const decision = confirmationDecider.decide(command, stateOf(id))
    if (isRejection(decision)) return false
    for (const event of decision) {
      expect(confirmationDecider.events.parse(event)).toEqual(event)
      states.set(id, confirmationDecider.evolve(stateOf(id), event))
      enqueue(event)
    }
    return true
  }

  function planAll(index: number): void {
    const appointment = appointments.get(index)
    if (!appointment) return
    const { appointmentId } = appointment
    const openIds = [...states.entries()].flatMap(([id, state]) =>
      state.exists && state.appointmentId === appointmentId && ['pending', 'sent', 'failed'].includes(state.status)
        ? [id]
        : [],
    )
    if (!isSwitchedOn && openIds.length === 0) return
    const receivedIds = toConfirmations(appointment.reservationId).flatMap(({ confirmationId }) => {
      const state = stateOf(confirmationId)
      return state.exists && ['sent', 'confirmed', 'declined'].includes(state.status) ? [confirmationId] : []
    })
    const choices = choosePlans({
      appointment: { practiceId, ...appointment },
      settings,
      hasStoppedTexts: patients[index]?.hasStoppedTexts ?? false,
      mayAsk: isSwitchedOn,
      isSwitchedOn,
      zone,
      now: new Date(nowMs),
      hasQuietHours: true,
      openIds,
      receivedIds,
    })
    for (const { confirmationId, command } of choices) execute(confirmationId, command)
  }

  function send(job: Job, data: { confirmationId: ConfirmationId; attempt: number; dueAt: string }): void {
    const { confirmationId, attempt, dueAt } = data
    const state = stateOf(confirmationId)
    if (!state.exists || state.status !== 'pending' || state.attempt !== attempt || state.dueAt !== dueAt) return
    const index = indexOf(state.appointmentId)
    const patient = patients[index]
    const obstacle = findObstacle({
      appointment: appointments.get(index) ?? null,
      reservationId: state.reservationId,
      patient: patient ?? null,
      hasPlan: true,
      isWanted: attempt > 1 || isSwitchedOn,
      now: toNow(),
    })
    if (obstacle !== null) return void execute(confirmationId, { type: 'Withdraw', reason: obstacle })
    const morning = findMorning(new Date(nowMs), zone)
    if (morning !== null) return void jobs.push({ ...job, startAfter: morning, order: order++ })
    if (state.channel === 'sms' && patient?.hasStoppedTexts) return planAll(index)
    messages.push({ confirmationId, attempt, channel: state.channel, at: toNow() })
    execute(confirmationId, { type: 'RecordSent', attempt, delivery: 'sent' })
  }

  function run(job: Job): void {
    if (job.job === jobNames.plan) planAll(indexOf((job.data as { appointmentId: string }).appointmentId))
    else if (job.job === jobNames.planAgain) for (const index of appointments.keys()) planAll(index)
    else if (job.job === jobNames.send) send(job, job.data as Parameters<typeof send>[1])
  }

  /** Runs the jobs that are due, and those that become due, until an instant. */
  function workUntil(untilMs: number): void {
    for (;;) {
      const next = jobs.toSorted(
        (a, b) =>
          Math.max(Date.parse(a.startAfter), nowMs) - Math.max(Date.parse(b.startAfter), nowMs) ||
          b.priority - a.priority ||
          a.order - b.order,
      )[0]
      if (!next || Date.parse(next.startAfter) > untilMs) break
      jobs.splice(jobs.indexOf(next), 1)
      nowMs = Math.max(nowMs, Date.parse(next.startAfter))
      run(next)
      if (isRepeated()) run(next)
    }
    nowMs = Math.max(nowMs, untilMs)
  }

  function change(index: number, over: Partial<Appointment>): Appointment | null {
    const appointment = appointments.get(index)
    if (!appointment || appointment.status === 'cancelled' || appointment.startsAt <= toNow()) return null
    const changed = { ...appointment, ...over, since: toNow() }
    appointments.set(index, changed)
    return appointment
  }

  const toSlot = ({ reservationId, startsAt }: { reservationId: string; startsAt: string }) => ({
    ...slot({ reservation: 1 }),
    reservationId: ReservationId.parse(reservationId),
    startsAt,
  })
  const newSlot = (minutes: number) => ({
    reservationId: ReservationId.parse(toId('c', reservations++)),
    startsAt: new Date(startMs + minutes * minuteMs).toISOString(),
  })

  function act(step: Step): void {
    switch (step.kind) {
      case 'book': {
        const place = newSlot(step.time)
        if (appointments.has(step.which) || place.startsAt <= toNow()) return
        const ids = {
          appointmentId: AppointmentId.parse(toId('a', step.which)),
          patientId: PatientId.parse(toId('b', step.which)),
        }
        appointments.set(step.which, { ...ids, ...place, status: 'scheduled', since: toNow() })
        const words = { type: 'check-up', reason: null, notes: null, status: 'scheduled' } as const
        const links = { seriesId: null, waitlistEntryId: null }
        return enqueue({
          type: 'AppointmentBooked',
          data: { ...ids, practiceId, slot: toSlot(place), ...words, ...links },
        })
      }
      case 'move': {
        const place = newSlot(step.time)
        const before = place.startsAt > toNow() && change(step.which, { ...place, status: 'scheduled' })
        if (!before) return
        const { appointmentId, patientId } = before
        const data = { appointmentId, patientId, from: toSlot(before), to: toSlot(place), waitlistEntryId: null }
        return enqueue({ type: 'AppointmentRescheduled', data })
      }
      case 'cancel': {
        const before = change(step.which, { status: 'cancelled' })
        if (!before) return
        const { appointmentId, patientId, status: from } = before
        const data = {
          appointmentId,
          patientId,
          slot: toSlot(before),
          from,
          isOnDayList: true,
          revertedCompletion: null,
        }
        return enqueue({ type: 'AppointmentCancelled', data: { ...data, cause: 'requested' } })
      }
      case 'confirm':
        return void change(step.which, { status: 'confirmed' })
      case 'stop-texts':
      case 'resume-texts': {
        const patient = patients[step.which]
        if (patient) patient.hasStoppedTexts = step.kind === 'stop-texts'
        return touch(step.which)
      }
      case 'die':
      case 'remove': {
        const patient = patients[step.which]
        if (patient) Object.assign(patient, step.kind === 'die' ? { deceased: true } : { removed: true })
        return
      }
      case 'change-settings': {
        const { reminderType, reminderTiming } = step
        settings = { reminderType, reminderTiming }
        for (const index of appointments.keys()) touch(index)
        const others = { autoReschedule: false, customMessage: null, offerFreedSlots: false, askSatisfaction: false }
        return enqueue({
          type: 'ConfirmationSettingsChanged',
          data: { practiceId, ...settings, ...others, language: 'en' },
        } as ConfirmationSettingsChanged)
      }
      case 'switch': {
        isSwitchedOn = step.isOn
        for (const index of appointments.keys()) touch(index)
        return void jobs.push({ job: jobNames.planAgain, data: {}, startAfter: toNow(), priority: 0, order: order++ })
      }
      case 'resend':
      case 'answer': {
        const id = [...states.keys()][step.which % Math.max(states.size, 1)]
        if (!id) return
        if (step.kind === 'answer') return void execute(id, { type: 'Answer', answer: 'confirmed' })
        return void execute(id, { type: 'Resend', practiceId, dueAt: findMorning(new Date(nowMs), zone) ?? toNow() })
      }
      case 'wait': {
        const untilMs = nowMs + step.minutes * minuteMs
        if (!step.isDown) return workUntil(untilMs)
        outages.push({ from: toNow(), until: new Date(untilMs).toISOString() })
        nowMs = untilMs
        return
      }
    }
  }

  /** Notes that the circumstances of an appointment have changed. */
  function touch(index: number): void {
    const appointment = appointments.get(index)
    if (appointment) appointments.set(index, { ...appointment, since: toNow() })
  }

  return {
    act,
    workUntil,
    appointments,
    patients,
    states,
    messages,
    jobs,
    outages,
    indexOf,
    isOn: () => isSwitchedOn,
    settings: () => settings,
  }
}

it('asks each patient once, by day, about an appointment that still is as it was, whatever happens before', () => {
  const plan = fc.record({
    season: fc.constantFrom('spring' as const, 'autumn' as const),
    steps: fc.array(step, { minLength: 20, maxLength: 60, size: 'max' }),
    repeated: fc.infiniteStream(fc.boolean()),
  })
  let planned = 0
  let asked = 0
  let unchanged = 0
  fc.assert(
    fc.property(plan, ({ season, steps, repeated }) => {
      const practice = createPractice(starts[season], () => repeated.next().value)
      const { appointments, patients, messages, states } = practice
      // Circumstances change only between two steps, so that messages can be checked against those after a step.
      const checkMessages = (from: number) => {
        for (const { confirmationId, channel, at } of messages.slice(from)) {
          const state = states.get(confirmationId)
          if (!state?.exists) throw new Error('A message was sent that was never planned')
          const { reservationId, startsAt, appointmentId } = state
          const index = practice.indexOf(appointmentId)
          expect(appointments.get(index)).toMatchObject({ status: 'scheduled', reservationId })
          expect(patients[index]).toMatchObject({ removed: false, deceased: false })
          expect(channel === 'sms' && patients[index]?.hasStoppedTexts).toBe(false)
          const local = toLocalDateTime(at, zone).time
          expect([at < startsAt, local >= '08:00' && local < '20:00']).toEqual([true, true])
        }
      }
      for (const each of steps) {
        const from = messages.length
        practice.act(each)
        checkMessages(from)
      }
      const from = messages.length
      practice.workUntil(starts[season] + stayMs)
      checkMessages(from)
      expect(practice.jobs).toEqual([])
      const keys = messages.map(({ confirmationId, attempt }) => `${confirmationId} ${attempt}`)
      expect(new Set(keys).size).toBe(keys.length)
      for (const state of states.values()) expect(state.exists && state.status).not.toBe('pending')
      planned += states.size
      asked += messages.length
      // Nothing happened since there was time to ask: the patient was asked about this slot by each channel.
      for (const [index, { reservationId, startsAt, status, since }] of appointments) {
        const timing = practice.settings().reminderTiming
        const due = computeDue({ startsAt, timing, zone, now: new Date(since), hasQuietHours: true })
        const isAsked = practice.isOn() && status === 'scheduled' && due !== null && due > since
        const patient = patients[index]
        if (!isAsked || patient?.removed || patient?.deceased) continue
        if (practice.outages.some(({ from, until }) => from < startsAt && until > due)) continue
        unchanged += 1
        const answered = [...states].filter(([id, state]) => {
          if (!state.exists || state.reservationId !== reservationId) return false
          return state.status === 'confirmed' || messages.some(({ confirmationId }) => confirmationId === id)
        })
        expect(answered.length).toBeGreaterThan(0)
      }
    }),
    { numRuns: cases(60, 3_000) },
  )
  console.log(`${planned} reminders were planned, ${asked} messages left, ${unchanged} appointments unchanged`)
  expect(planned).toBeGreaterThan(cases(200, 10_000))
  expect(asked).toBeGreaterThan(cases(60, 3_000))
})

describe('a change of the way in which a practice asks', () => {
  const reservationId = ReservationId.parse(toId('c', 0))
  const [text, mail] = ['sms', 'email'].map(
    (channel) =>
      toConfirmations(reservationId).find((each) => each.channel === channel)?.confirmationId as ConfirmationId,
  )
  const listPlanned = (over: Partial<Question>) =>
    choosePlans({
      appointment: {
        practiceId,
        appointmentId: AppointmentId.parse(toId('a', 0)),
        patientId: PatientId.parse(toId('b', 0)),
        status: 'scheduled',
        reservationId,
        startsAt: '2026-11-21T15:00:00.000Z',
      },
      settings: { reminderType: 'email', reminderTiming: '24h' },
      hasStoppedTexts: false,
      mayAsk: true,
      isSwitchedOn: true,
      zone,
      now: new Date('2026-11-20T17:00:00.000Z'),
      hasQuietHours: true,
      openIds: [],
      receivedIds: [],
      ...over,
    }).flatMap(({ confirmationId, command }) => (command.type === 'Plan' ? [confirmationId] : []))

  it('asks patients by the other way who were not asked yet, or in vain', () => {
    expect(listPlanned({})).toEqual([mail])
    expect(listPlanned({ openIds: text ? [text] : [] })).toEqual([mail])
  })

  it('does not ask those again who have received the question', () => {
    expect(listPlanned({ receivedIds: text ? [text] : [] })).toEqual([])
    expect(listPlanned({ receivedIds: text ? [text] : [], hasStoppedTexts: true })).toEqual([])
  })

  it('asks them by both ways where the practice wants both, and by the one that is planned', () => {
    const receivedIds = text ? [text] : []
    expect(listPlanned({ receivedIds, settings: { reminderType: 'both', reminderTiming: '24h' } })).toHaveLength(2)
    expect(listPlanned({ receivedIds, openIds: mail ? [mail] : [] })).toEqual([mail])
  })
})
