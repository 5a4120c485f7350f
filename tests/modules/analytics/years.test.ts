import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { FigureKey } from '#contracts/values/analytics.ts'
import { addDays, toLocalDate } from '#contracts/values/calendar.ts'
import type { Recorded } from '#eventstore/event.ts'
import { createPeriod } from '#modules/analytics/period.ts'
import {
  analyticsAnswers,
  analyticsAppointments,
  analyticsForms,
  analyticsPatients,
  analyticsVerifications,
} from '#modules/analytics/projection.ts'
import { countPeriod, countPoints, findRecords } from '#modules/analytics/queries.ts'
import { type AnyProjection, applyEvent, type Rows } from '#projections/projection.ts'
import { buildStatements } from '#projections/tables.ts'
import { cases } from '#tests/support/long.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.dispose())

const year = '2025-01-01'
const hoursOfYear = 366 * 24
const hour = fc.integer({ min: -30 * 24, max: hoursOfYear + 30 * 24 })
const at = (hours: number) => new Date(Date.parse(`${year}T00:00:00.000Z`) + hours * 3_600_000).toISOString()
const zone = fc.constantFrom('UTC', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Apia')
const providers = [randomUUID(), randomUUID()] as const
const types = ['check-up', 'consultation', 'follow-up'] as const

const step = fc.oneof(
  fc.record({
    kind: fc.constant('move' as const),
    to: hour,
    minutes: fc.constantFrom(15, 30, 60),
    provider: fc.nat(1),
  }),
  fc.record({ kind: fc.constant('type' as const), type: fc.nat(2) }),
  fc.record({ kind: fc.constant('complete' as const), on: hour, cents: fc.nat(40_000) }),
  fc.record({ kind: fc.constant('status' as const), status: fc.constantFrom('confirmed', 'no-show', 'scheduled') }),
  fc.record({ kind: fc.constantFrom('cancel' as const, 'remove' as const, 'keep' as const) }),
)

/** The year of a practice: its records and what becomes of them. */
const story = fc.record({
  appointments: fc.array(
    fc.record({
      startsAt: hour,
      minutes: fc.constantFrom(15, 30, 60),
      provider: fc.nat(1),
      type: fc.nat(2),
      isSample: fc.boolean(),
      steps: fc.array(step, { maxLength: 4 }),
      score: fc.option(fc.integer({ min: 1, max: 5 })),
      answeredAt: hour,
    }),
    { maxLength: 80 },
  ),
  patients: fc.array(fc.record({ on: hour, isSample: fc.boolean(), isRemoved: fc.boolean() }), { maxLength: 30 }),
  forms: fc.array(fc.record({ on: hour, isSample: fc.boolean(), isSubmitted: fc.boolean() }), { maxLength: 30 }),
  verifications: fc.array(
    fc.record({ on: hour, isSample: fc.boolean(), outcome: fc.constantFrom('none', 'Verified', 'Denied', 'Expired') }),
    { maxLength: 30 },
  ),
})
type Story = typeof story extends fc.Arbitrary<infer Value> ? Value : never

type Happened = { type: string; data: Record<string, unknown>; at: string; isSample: boolean }

/** Yields the story as events, each with what the projections read. */
function* toEvents({ appointments, patients, forms, verifications }: Story, practiceId: string): Generator<Happened> {
  const slot = (startsAt: string, duration: number, provider: number) => ({
    startsAt,
    duration,
    providerId: providers[provider],
  })
  for (const { startsAt, minutes, provider, type, isSample, steps, score, answeredAt } of appointments) {
    const ids = { appointmentId: randomUUID(), patientId: randomUUID() }
    const happened = (name: string, data: object = {}): Happened => ({
      type: name,
      data: { ...ids, ...data },
      at: at(answeredAt),
      isSample,
    })
    yield happened('AppointmentBooked', {
      practiceId,
      slot: slot(at(startsAt), minutes, provider),
      type: types[type],
      status: 'scheduled',
    })
    for (const each of steps) {
      if (each.kind === 'move')
        yield happened('AppointmentRescheduled', { to: slot(at(each.to), each.minutes, each.provider) })
      if (each.kind === 'type') yield happened('AppointmentDetailsChanged', { to: { type: types[each.type] } })
      if (each.kind === 'complete')
        yield happened('AppointmentCompleted', {
          completedAt: at(each.on),
          fee: { cents: each.cents, currency: 'USD' },
        })
      if (each.kind === 'status') yield happened('AppointmentStatusChanged', { to: each.status })
      if (each.kind === 'cancel') yield happened('AppointmentCancelled')
      if (each.kind === 'remove') yield happened('AppointmentRemoved')
      if (each.kind === 'keep') yield happened('SampleAppointmentKept')
    }
    if (score !== null) yield happened('SurveyAnswered', { surveyId: randomUUID(), practiceId, score })
  }
  for (const { on, isSample, isRemoved } of patients) {
    const data = { patientId: randomUUID(), practiceId, dateOfBirth: null, gender: null }
    yield { type: 'PatientRegistered', data, at: at(on), isSample }
    if (isRemoved) yield { type: 'PatientRemoved', data, at: at(on + 1), isSample }
  }
  for (const { on, isSample, isSubmitted } of forms) {
    const data = { formId: randomUUID(), patientId: randomUUID(), practiceId }
    yield { type: 'FormAssigned', data, at: at(on), isSample }
    if (isSubmitted) yield { type: 'FormSubmitted', data, at: at(on + 5), isSample }
  }
  for (const { on, isSample, outcome } of verifications) {
    const data = { verificationId: randomUUID(), patientId: randomUUID(), practiceId, insuranceProvider: 'Aetna' }
    yield { type: 'InsuranceVerificationRequested', data, at: at(on), isSample }
    if (outcome !== 'none') yield { type: `Insurance${outcome}`, data, at: at(on + 9), isSample }
  }
}

/** Folds the events into the read models of the application. */
async function save(events: readonly Happened[]): Promise<void> {
  const projections: AnyProjection[] = [
    analyticsAppointments,
    analyticsPatients,
    analyticsForms,
    analyticsVerifications,
    analyticsAnswers,
  ]
  for (const projection of projections) {
    const rows: Rows = new Map()
    for (const each of events) {
      const metadata = { at: each.at, sample: each.isSample }
      applyEvent(projection, rows, { ...each, metadata } as unknown as Recorded)
    }
    const kept = [...rows.values()].filter((row) => row !== null)
    await app.services.pool.query(buildStatements(projection).save, [JSON.stringify(kept)])
  }
}

/** An appointment as its events tell it; `isGone` when it was removed. */
type Told = {
  startsAt: string
  minutes: number
  provider: string
  type: string
  status: string
  paidAt: string | null
  cents: number
  isSample: boolean
  isGone: boolean
}

/** Retells each appointment from its events, one after the other and without the projection. */
function retell(events: readonly Happened[]): Map<unknown, Told> {
  const told = new Map<unknown, Told>()
  const slotOf = (slot: unknown) => slot as { startsAt: string; duration: number; providerId: string }
  for (const { type, data, isSample } of events) {
    const known = told.get(data['appointmentId'])
    if (type === 'AppointmentBooked') {
      const { startsAt, duration, providerId } = slotOf(data['slot'])
      const rest = { type: String(data['type']), status: 'scheduled', paidAt: null, cents: 0, isSample, isGone: false }
      told.set(data['appointmentId'], { startsAt, minutes: duration, provider: providerId, ...rest })
    }
    if (!known) continue
    const unpaid = { paidAt: null, cents: 0 }
    if (type === 'AppointmentRescheduled') {
      const { startsAt, duration, providerId } = slotOf(data['to'])
      Object.assign(known, { startsAt, minutes: duration, provider: providerId })
    }
    if (type === 'AppointmentDetailsChanged') known.type = (data['to'] as { type: string }).type
    if (type === 'AppointmentCompleted') {
      const { cents } = data['fee'] as { cents: number }
      Object.assign(known, { status: 'completed', paidAt: data['completedAt'], cents })
    }
    if (type === 'AppointmentStatusChanged') Object.assign(known, { status: data['to'], ...unpaid })
    if (type === 'AppointmentCancelled') Object.assign(known, { status: 'cancelled', ...unpaid })
    if (type === 'AppointmentRemoved') known.isGone = true
    if (type === 'SampleAppointmentKept') known.isSample = false
  }
  return told
}

const question = fc.record({
  zone,
  from: fc.integer({ min: -20, max: 360 }),
  days: fc.integer({ min: 0, max: 366 }),
  now: hour,
  provider: fc.option(fc.nat(1), { nil: undefined }),
  type: fc.option(fc.nat(2), { nil: undefined }),
  includeSamples: fc.boolean(),
})

it('every figure of a generated year is a slow recount of its events, and so are its points and records', async () => {
  await fc.assert(
    fc.asyncProperty(story, fc.array(question, { minLength: 1, maxLength: 4 }), async (told, questions) => {
      const practiceId = randomUUID()
      const events = [...toEvents(told, practiceId)]
      await save(events)
      for (const asked of questions) {
        const { computed, recounted } = await answerTwice(practiceId, events, asked)
        expect(computed).toEqual(recounted)
      }
    }),
    { numRuns: cases(8, 200) },
  )
})

/** Computes counts, points and the numbers of records from the read models, and recounts them from the events. */
async function answerTwice(
  practiceId: string,
  events: readonly Happened[],
  asked: typeof question extends fc.Arbitrary<infer Value> ? Value : never,
): Promise<{ computed: object; recounted: object }> {
  const { db } = app.services
  const scope = { practiceId, includeSamples: asked.includeSamples }
  const from = addDays(year, asked.from)
  const to = addDays(from, asked.days)
  const { span, parts } = createPeriod({ from, to }, asked.zone)
  const provider = asked.provider === undefined ? undefined : providers[asked.provider]
  const type = asked.type === undefined ? undefined : types[asked.type]
  const filter = { provider, type, now: at(asked.now) }

  const isAsked = (instant: string | null, first = from, last = to) =>
    instant !== null && toLocalDate(instant, asked.zone) >= first && toLocalDate(instant, asked.zone) <= last
  const isShown = ({ isSample }: { isSample: boolean }) => asked.includeSamples || !isSample
  const all = retell(events)
  const isOf = (appointment: Told) =>
    !appointment.isGone &&
    (provider === undefined || appointment.provider === provider) &&
    (type === undefined || appointment.type === type)
  const appointments = [...all.values()].filter((appointment) => isOf(appointment) && isShown(appointment))
  const started = appointments.filter(({ startsAt }) => isAsked(startsAt))
  const due = started.filter(({ startsAt }) => startsAt < filter.now)
  const paid = appointments.filter(({ paidAt }) => isAsked(paidAt))
  const withStatus = (some: readonly Told[], status: string) =>
    some.filter((appointment) => appointment.status === status)
  const kept = started.filter(({ status }) => status !== 'cancelled')
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)
  const ofType = (name: string) => events.filter((each) => each.type === name && isShown(each))
  const gone = new Set(ofType('PatientRemoved').map(({ data }) => data['patientId']))
  const patients = ofType('PatientRegistered').filter(({ data }) => !gone.has(data['patientId']))
  const forms = ofType('FormAssigned').filter((each) => isAsked(each.at))
  const submitted = new Set(ofType('FormSubmitted').map(({ data }) => data['formId']))
  const requests = ofType('InsuranceVerificationRequested').filter((each) => isAsked(each.at))
  const decided = new Set(
    [...ofType('InsuranceVerified'), ...ofType('InsuranceDenied')].map(({ data }) => data['verificationId']),
  )
  const answers = ofType('SurveyAnswered').filter(({ at: answeredAt, data }) => {
    const appointment = all.get(data['appointmentId'])
    return isAsked(answeredAt) && appointment !== undefined && isOf(appointment)
  })

  const counts = {
    scheduled: started.length,
    due: due.length,
    kept: withStatus(due, 'completed').length,
    cancelled: withStatus(started, 'cancelled').length,
    noShows: withStatus(due, 'no-show').length,
    bookedMinutes: sum(kept.map(({ minutes }) => minutes)),
    revenueCents: sum(paid.map(({ cents }) => cents)),
    paid: paid.length,
    newPatients: patients.filter((each) => isAsked(each.at)).length,
    patientsAtStart: patients.filter((each) => toLocalDate(each.at, asked.zone) < from).length,
    formsAssigned: forms.length,
    formsSubmitted: forms.filter(({ data }) => submitted.has(data['formId'])).length,
    verificationsRequested: requests.length,
    verificationsDecided: requests.filter(({ data }) => decided.has(data['verificationId'])).length,
    answers: answers.length,
    scores: sum(answers.map(({ data }) => data['score'] as number)),
  }

  const points = parts.map((part) => {
    const then = appointments.filter(({ startsAt }) => isAsked(startsAt, part.from, part.to))
    const paidThen = appointments.filter(({ paidAt }) => isAsked(paidAt, part.from, part.to))
    return {
      scheduled: then.length,
      completed: withStatus(then, 'completed').length,
      cancelled: withStatus(then, 'cancelled').length,
      revenueCents: sum(paidThen.map(({ cents }) => cents)),
    }
  })
  const records: Record<FigureKey, number> = {
    'appointment-rate': due.length,
    'no-show-rate': due.length,
    'revenue-growth': paid.length,
    utilization: kept.length,
    'patient-growth': patients.filter((each) => isAsked(each.at)).length,
    'form-completion': forms.length,
    'insurance-processing': requests.length,
    satisfaction: answers.length,
  }
  const spans = parts.map((part) => part.span)
  const listed = await Promise.all(
    FigureKey.options.map(async (key) => [key, (await findRecords(db, scope, key, span, filter)).length] as const),
  )
  return {
    computed: {
      counts: await countPeriod(db, scope, span, filter),
      points: await countPoints(db, scope, spans, filter),
      records: Object.fromEntries(listed),
    },
    recounted: { counts, points, records },
  }
}
