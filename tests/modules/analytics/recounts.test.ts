import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { FigureKey } from '#contracts/values/analytics.ts'
import { toLocalDateTime } from '#contracts/values/calendar.ts'
import { createPeriod } from '#modules/analytics/period.ts'
import {
  analyticsAnswers,
  analyticsAppointments,
  analyticsForms,
  analyticsPatients,
  analyticsVerifications,
} from '#modules/analytics/projection.ts'
import { countPeriod, countPoints, divide, findCountedAppointments, findRecords } from '#modules/analytics/queries.ts'
import { openTables, type Tables } from '#tests/support/open-tables.ts'

/**
 * Compares what SQL counts in a period with a recount in TypeScript, over records on, before and after every limit: the ends of the
 * period, midnight there and in UTC, the hour that daylight saving time skips, birthdays, and the days between booking and appointment.
 */
const zone = 'America/New_York'
const on = '2026-03-10'
const { span, parts } = createPeriod({ from: '2026-03-02', to: on }, zone)

const idOf = (kind: number, index: number) =>
  `00000000-0000-4000-8000-0000000${String(kind)}${String(index).padStart(4, '0')}`
const [practice, other] = [idOf(1, 0), idOf(1, 1)]
const patientIds = [0, 1, 2, 3].map((index) => idOf(2, index))
const providers = [idOf(3, 0), idOf(3, 1)]
const types = ['check-up', 'follow-up']

const shift = (instant: string, ms: number) => new Date(Date.parse(instant) + ms).toISOString()
const near = (instant: string) => [-1000, 0, 1000].map((ms) => shift(instant, ms))
const hourMs = 3_600_000
const instants = [
  ...[span.from, span.until, '2026-03-05T05:00:00.000Z', '2026-03-08T07:00:00.000Z'].flatMap(near),
  ...['2026-03-02T00:00:00.000Z', '2026-03-11T00:00:00.000Z'].flatMap(near),
  '2026-03-06T15:30:00.000Z',
  '2026-02-20T15:00:00.000Z',
]
const instant = fc.constantFrom(...instants)
const inPractice = { practice_id: fc.constantFrom(practice, practice, practice, other), sample: fc.boolean() }

const Appointments = fc.array(
  fc
    .record({
      ...inPractice,
      patient_id: fc.constantFrom(...patientIds),
      provider_id: fc.constantFrom(...providers),
      type: fc.constantFrom(...types, ...types, null),
      starts_at: instant,
      leadMs: fc.tuple(fc.constantFrom(0, 1, 6, 7, 29, 30, 30), fc.constantFrom(0, 0, 5, 20)),
      minutes: fc.constant(30),
      status: fc.constantFrom('scheduled', 'completed', 'cancelled', 'no-show', 'no-show'),
      completed_at: fc.option(instant),
      fee_cents: fc.option(fc.nat(9_000)),
    })
    .map(({ leadMs: [days, hours], ...row }) => ({
      ...row,
      booked_at: shift(row.starts_at, -(days * 24 + hours) * hourMs),
    })),
  { minLength: 10, maxLength: 40, size: 'max' },
)
const births = ['2008', '1986', '1961'].flatMap((year) => [`${year}-03-10`, `${year}-03-11`])
const Patients = fc.tuple(
  ...patientIds.map((patient_id) =>
    fc.record({
      ...inPractice,
      patient_id: fc.constant(patient_id),
      date_of_birth: fc.constantFrom(...births, null),
      gender: fc.constantFrom('female', 'male', null),
      registered_at: instant,
    }),
  ),
)
const Forms = fc.array(
  fc.record({
    ...inPractice,
    patient_id: fc.constantFrom(...patientIds),
    assigned_at: instant,
    submitted_at: fc.option(instant),
    analysis: fc.constantFrom('analyzed', 'failed', 'skipped', null),
  }),
  { maxLength: 12, size: 'max' },
)
const Verifications = fc.uniqueArray(
  fc.record({
    ...inPractice,
    patient_id: fc.constantFrom(...patientIds),
    insurer: fc.constantFrom('Aetna', 'Summit Mutual', null),
    requested_at: instant,
    status: fc.constantFrom('pending', 'verified', 'denied'),
    decided: fc.boolean(),
  }),
  { maxLength: 12, size: 'max', selector: ({ requested_at }) => requested_at },
)
const Answers = fc.array(
  fc.record({
    ...inPractice,
    patient_id: fc.constantFrom(...patientIds),
    appointment_id: fc.nat(9).map((index) => idOf(4, index)),
    score: fc.integer({ min: 1, max: 5 }),
    answered_at: instant,
  }),
  { maxLength: 8, size: 'max' },
)
const Filter = fc.record({
  provider: fc.constantFrom(...providers, undefined, undefined),
  type: fc.constantFrom(...types, undefined, undefined),
})

type ValueOf<Source> = Source extends fc.Arbitrary<infer Value> ? Value : never
const numbered = <Row extends object>(rows: readonly Row[], kind: number, column: string) =>
  rows.map((row, index) => ({ ...row, [column]: idOf(kind, index) }))
const Records = fc
  .record({
    appointments: Appointments,
    patients: Patients,
    forms: Forms,
    verifications: Verifications,
    answers: Answers,
  })
  .map(({ appointments, patients, forms, verifications, answers }) => ({
    appointments: numbered(appointments, 4, 'appointment_id'),
    patients,
    forms: numbered(forms, 5, 'form_id'),
    verifications: numbered(verifications, 6, 'verification_id'),
    answers: numbered(answers, 7, 'survey_id'),
  }))
type Records = ValueOf<typeof Records>
type Appointment = Records['appointments'][number]

const inScope =
  (includeSamples: boolean) =>
  ({ practice_id, sample }: { practice_id: string; sample: boolean }) =>
    practice_id === practice && (includeSamples || !sample)
const isWithin = (at: string | null, { from, until } = span) => at !== null && at >= from && at < until
const idIn = (row: object, column: string) => (row as Record<string, string>)[column] as string
const weekdayOf = (date: string) => new Date(date).getUTCDay() || 7
const startOf = ({ starts_at }: Appointment) => toLocalDateTime(starts_at, zone)

/** Sums by key, as lines that sort alike here and there. */
function sumBy<Row>(rows: readonly Row[], keyOf: (row: Row) => string, valueOf: (row: Row) => number = () => 1) {
  const sums = new Map<string, number>()
  for (const row of rows) sums.set(keyOf(row), (sums.get(keyOf(row)) ?? 0) + valueOf(row))
  return [...sums].map(([key, count]) => `${key}: ${count}`).toSorted()
}

function toAgeGroup(born: string | null) {
  if (born === null) return 'unknown'
  const years = Number(on.slice(0, 4)) - Number(born.slice(0, 4)) - (on.slice(5) < born.slice(5) ? 1 : 0)
  return years < 18 ? 'under-18' : years < 40 ? '18-39' : years < 65 ? '40-64' : '65-over'
}

function toLeadTime(appointment: Appointment) {
  const booked = toLocalDateTime(appointment.booked_at, zone).date
  const days = (Date.parse(startOf(appointment).date) - Date.parse(booked)) / (24 * hourMs)
  return days < 1 ? 'same-day' : days < 7 ? '1-6' : days < 30 ? '7-29' : '30-over'
}

type Filter = ValueOf<typeof Filter>

const isMatching = (filter: Filter) => (appointment: Appointment) =>
  (filter.provider === undefined || appointment.provider_id === filter.provider) &&
  (filter.type === undefined || appointment.type === filter.type)

function divideAgain(records: Records, includeSamples: boolean, filter: Filter) {
  const isShown = inScope(includeSamples)
  const all = records.appointments.filter(isShown)
  const matching = all.filter(isMatching(filter))
  const started = matching.filter(({ starts_at }) => isWithin(starts_at))
  const kept = started.filter(({ status }) => status !== 'cancelled')
  const missed = started.filter(({ status }) => status === 'no-show')
  const patients = records.patients.filter(isShown).filter(({ registered_at }) => registered_at < span.until)
  const typeOf = ({ type }: Appointment) => type ?? 'unknown'
  const isReturning = ({ patient_id, starts_at }: Appointment) =>
    all.some((each) => each.patient_id === patient_id && each.status !== 'cancelled' && each.starts_at < starts_at)
  const insurerOf = ({ patient_id }: Appointment) =>
    records.verifications
      .filter(isShown)
      .filter((each) => each.patient_id === patient_id)
      .toSorted((one, two) => (one.requested_at < two.requested_at ? 1 : -1))[0]?.insurer ?? 'none'
  const submitted = records.forms
    .filter(isShown)
    .filter(({ assigned_at, submitted_at }) => isWithin(assigned_at) && submitted_at !== null)
  return {
    types: sumBy(kept, typeOf),
    providers: sumBy(kept, ({ provider_id }) => provider_id),
    revenue: sumBy(
      matching.filter(({ completed_at }) => isWithin(completed_at)),
      typeOf,
      ({ fee_cents }) => fee_cents ?? 0,
    ),
    ages: sumBy(patients, ({ date_of_birth }) => toAgeGroup(date_of_birth)),
    noShows: sumBy(missed, (each) => String(weekdayOf(startOf(each).date))),
    leadTimes: sumBy(missed, toLeadTime),
    genders: sumBy(patients, ({ gender }) => gender ?? 'unknown'),
    returning: sumBy(kept, (each) => (isReturning(each) ? 'returning' : 'new')),
    insurers: sumBy(kept, insurerOf),
    busyHours: sumBy(kept, (each) => `${weekdayOf(startOf(each).date)} at ${startOf(each).time.slice(0, 2)}`),
    analyses: sumBy(submitted, ({ analysis }) => analysis ?? 'waiting'),
  }
}

function countAgain(records: Records, includeSamples: boolean, filter: Filter & { now: string }) {
  const isShown = inScope(includeSamples)
  const matching = records.appointments.filter((each) => isShown(each) && isMatching(filter)(each))
  const started = matching.filter(({ starts_at }) => isWithin(starts_at))
  const due = started.filter(({ starts_at }) => starts_at < filter.now)
  const paid = matching.filter(({ completed_at }) => isWithin(completed_at))
  const patients = records.patients.filter(isShown)
  const forms = records.forms.filter((each) => isShown(each) && isWithin(each.assigned_at))
  const requests = records.verifications.filter((each) => isShown(each) && isWithin(each.requested_at))
  const answers = records.answers
    .filter((each) => isShown(each) && isWithin(each.answered_at))
    .filter(({ appointment_id }) =>
      records.appointments.some((each) => idIn(each, 'appointment_id') === appointment_id && isMatching(filter)(each)),
    )
  const withStatus = (some: readonly Appointment[], status: string) => some.filter((each) => each.status === status)
  const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)
  const kept = started.filter(({ status }) => status !== 'cancelled')
  const counts = {
    scheduled: started.length,
    due: due.length,
    kept: withStatus(due, 'completed').length,
    cancelled: withStatus(started, 'cancelled').length,
    noShows: withStatus(due, 'no-show').length,
    bookedMinutes: sum(kept.map(({ minutes }) => minutes)),
    revenueCents: sum(paid.map(({ fee_cents }) => fee_cents ?? 0)),
    paid: paid.length,
    newPatients: patients.filter(({ registered_at }) => isWithin(registered_at)).length,
    patientsAtStart: patients.filter(({ registered_at }) => registered_at < span.from).length,
    formsAssigned: forms.length,
    formsSubmitted: forms.filter(({ submitted_at }) => submitted_at !== null).length,
    verificationsRequested: requests.length,
    verificationsDecided: requests.filter(({ decided }) => decided).length,
    answers: answers.length,
    scores: sum(answers.map(({ score }) => score)),
  }
  const points = parts.map((part) => {
    const then = matching.filter(({ starts_at }) => isWithin(starts_at, part.span))
    const paidThen = matching.filter(({ completed_at }) => isWithin(completed_at, part.span))
    return {
      scheduled: then.length,
      completed: withStatus(then, 'completed').length,
      cancelled: withStatus(then, 'cancelled').length,
      revenueCents: sum(paidThen.map(({ fee_cents }) => fee_cents ?? 0)),
    }
  })
  const list = <Row extends object>(
    rows: readonly Row[],
    column: string,
    atOf: (row: Row) => string | null,
    statusOf: (row: Row) => string,
  ) =>
    rows
      .map((row) => ({
        id: idIn(row, column),
        patientId: idIn(row, 'patient_id'),
        at: atOf(row) ?? '',
        status: statusOf(row),
      }))
      .toSorted((one, two) => two.at.localeCompare(one.at) || one.id.localeCompare(two.id))
  const statusOf = ({ status }: Appointment) => status
  const appointments = (some: readonly Appointment[]) =>
    list(some, 'appointment_id', ({ starts_at }) => starts_at, statusOf)
  const newPatients = patients.filter(({ registered_at }) => isWithin(registered_at))
  const bySurvey = list(
    answers,
    'survey_id',
    ({ answered_at }) => answered_at,
    ({ score }) => String(score),
  )
  const appointmentOf = new Map(answers.map((each) => [idIn(each, 'survey_id'), each.appointment_id]))
  const lists: Record<FigureKey, { id: string; patientId: string; at: string; status: string }[]> = {
    'appointment-rate': appointments(due),
    'no-show-rate': appointments(due),
    'revenue-growth': list(paid, 'appointment_id', ({ completed_at }) => completed_at, statusOf),
    utilization: appointments(kept),
    'patient-growth': list(
      newPatients,
      'patient_id',
      ({ registered_at }) => registered_at,
      () => 'active',
    ),
    'form-completion': list(
      forms,
      'form_id',
      ({ assigned_at }) => assigned_at,
      ({ submitted_at }) => (submitted_at === null ? 'pending' : 'completed'),
    ),
    'insurance-processing': list(
      requests,
      'verification_id',
      ({ requested_at }) => requested_at,
      ({ status }) => status,
    ),
    satisfaction: bySurvey.map(({ id, ...each }) => ({ id: appointmentOf.get(id) ?? '', ...each })),
  }
  return { counts, points, lists }
}

let tables: Tables
const projections = [
  { projection: analyticsAppointments, records: 'appointments' },
  { projection: analyticsPatients, records: 'patients' },
  { projection: analyticsForms, records: 'forms' },
  { projection: analyticsVerifications, records: 'verifications' },
  { projection: analyticsAnswers, records: 'answers' },
] as const

beforeAll(async () => {
  tables = await openTables(projections.map(({ projection }) => projection))
})
afterAll(() => tables.dispose())

async function fill(records: Records): Promise<void> {
  for (const { projection, records: kind } of projections) await tables.fill(projection, records[kind])
}

it('counts a period and its parts, and lists what it counts, as a recount does', async () => {
  await fc.assert(
    fc.asyncProperty(Records, fc.boolean(), Filter, instant, async (records, includeSamples, asked, now) => {
      await fill(records)
      const scope = { practiceId: practice, includeSamples }
      const filter = { ...asked, now }
      const { counts, points, lists } = countAgain(records, includeSamples, filter)
      expect(await countPeriod(tables.db, scope, span, filter)).toEqual(counts)
      const spans = parts.map((part) => part.span)
      expect(await countPoints(tables.db, scope, spans, filter)).toEqual(points)
      for (const key of FigureKey.options) {
        const found = await findRecords(tables.db, scope, key, span, filter)
        expect([key, found]).toEqual([key, lists[key]])
      }
    }),
    { numRuns: 60 },
  )
})

it('divides the work of a period as a recount of its records does', async () => {
  await fc.assert(
    fc.asyncProperty(Records, fc.boolean(), Filter, async (records, includeSamples, filter) => {
      await fill(records)
      const scope = { practiceId: practice, includeSamples }
      const { busyHours, ...shares } = await divide(tables.db, scope, span, { ...filter, now: span.until, zone, on })
      const lines = Object.entries(shares).map(([name, parts]) => [
        name,
        sumBy(
          parts ?? [],
          ({ key }) => key,
          ({ count }) => count,
        ),
      ])
      const hours = busyHours.map(
        ({ weekday, hour, count }) => `${weekday} at ${String(hour).padStart(2, '0')}: ${count}`,
      )
      expect({ ...Object.fromEntries(lines), busyHours: hours }).toEqual(divideAgain(records, includeSamples, filter))
      for (const parts of Object.values(shares))
        expect(parts).toEqual(parts?.toSorted((one, two) => two.count - one.count))
    }),
    { numRuns: 100 },
  )
})

it('finds the appointments that a part counts, newest first', async () => {
  await fc.assert(
    fc.asyncProperty(Records, fc.boolean(), async (records, includeSamples) => {
      await fill(records)
      const scope = { practiceId: practice, includeSamples }
      const isCounted = {
        all: () => true,
        kept: (status: string) => status !== 'cancelled',
        completed: (status: string) => status === 'completed',
        cancelled: (status: string) => status === 'cancelled',
      }
      for (const by of ['start', 'completion'] as const)
        for (const statuses of ['all', 'kept', 'completed', 'cancelled'] as const) {
          const expected = records.appointments
            .filter(inScope(includeSamples))
            .filter(({ starts_at, completed_at }) => isWithin(by === 'start' ? starts_at : completed_at))
            .filter(({ status }) => isCounted[statuses](status))
            .map(({ starts_at, patient_id, type, status, fee_cents, ...row }) => ({
              id: idIn(row, 'appointment_id'),
              patientId: patient_id,
              startsAt: starts_at,
              type,
              status,
              feeCents: fee_cents,
            }))
          const found = await findCountedAppointments(tables.db, scope, span, { by, statuses })
          const sorted = expected.toSorted(
            (one, two) => two.startsAt.localeCompare(one.startsAt) || one.id.localeCompare(two.id),
          )
          expect(found).toEqual(sorted)
        }
    }),
    { numRuns: 30 },
  )
})
