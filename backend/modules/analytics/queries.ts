import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import type { AnalyticsBreakdowns } from '#contracts/analytics.ts'
import { type FigureKey, figureDefinitions, type PeriodCounts } from '#contracts/values/analytics.ts'
import { AppointmentType } from '#contracts/values/appointments.ts'
import { AppointmentId, PatientId } from '#contracts/values/ids.ts'
import { prepared } from '#database/prepared.ts'
import { inScope, type RecordScope } from '#modules/samples/public.ts'
import { all, dailyTotals } from './daily-totals.ts'
import type { Span } from './period.ts'

type Fragment = ReturnType<typeof sql.fragment>

/** The appointments that figures are limited to. `now` is an instant: later ones are not due. */
export type AppointmentFilter = { provider?: string | undefined; type?: string | undefined; now: string }

const counted = z.number()
const Counts = z.object({
  scheduled: counted,
  due: counted,
  kept: counted,
  cancelled: counted,
  noShows: counted,
  bookedMinutes: counted,
  revenueCents: counted,
  paid: counted,
  newPatients: counted,
  patientsAtStart: counted,
  formsAssigned: counted,
  formsSubmitted: counted,
  verificationsRequested: counted,
  verificationsDecided: counted,
  answers: counted,
  scores: counted,
})

const within = (column: Fragment, { from, until }: Span) =>
  sql.fragment`${column} >= ${from}::timestamptz and ${column} < ${until}::timestamptz`

const matches = ({ provider, type }: AppointmentFilter) => sql.fragment`
  ${provider ? sql.fragment`and a.provider_id = ${provider}::uuid` : sql.fragment``}
  ${type ? sql.fragment`and a.type = ${type}` : sql.fragment``}`

/** The answers of a span, each with its appointment. */
const answersOf = (scope: RecordScope, span: Span, filter: AppointmentFilter) => sql.fragment`
  from read.analytics_answers s join read.analytics_appointments a on a.appointment_id = s.appointment_id
  where ${inScope(scope, 's')} and ${within(sql.fragment`s.answered_at`, span)} ${matches(filter)}`

/**
 * Returns a relation whose sums are those of a span of instants, which are SQL expressions: the totals of its days in UTC, and for
 * the part of a day at each end the appointments themselves.
 */
function sumDays(
  scope: RecordScope,
  { provider, type, ...filter }: AppointmentFilter,
  lower: Fragment,
  upper: Fragment,
): Fragment {
  const edges = sql.fragment`(values (1, ${upper}), (-1, ${lower})) as edge (sign, instant)`
  const since = (at: Fragment) => sql.fragment`
    from read.analytics_appointments a
    where ${inScope(scope, 'a')} and ${at} >= date_trunc('day', edge.instant, 'UTC') and ${at} < edge.instant
      ${matches({ ...filter, provider, type })}`
  return sql.fragment`(
    select t.scheduled, t.completed, t.cancelled, t.no_shows, t.minutes, t.paid, t.fee_cents
    from ${sql.identifier(['read', dailyTotals])} t
    where ${inScope(scope, 't')} and t.provider = ${provider ?? all} and t.type = ${type ?? all}
      and t.day >= (${lower} at time zone 'UTC')::date and t.day < (${upper} at time zone 'UTC')::date
    union all
    select sign * scheduled, sign * completed, sign * cancelled, sign * no_shows, sign * minutes, 0, 0
    from ${edges} cross join lateral (
      select count(*) as scheduled, count(*) filter (where a.status = 'completed') as completed,
        count(*) filter (where a.status = 'cancelled') as cancelled,
        count(*) filter (where a.status = 'no-show') as no_shows,
        coalesce(sum(a.minutes) filter (where a.status <> 'cancelled'), 0) as minutes
      ${since(sql.fragment`a.starts_at`)}) as started
    union all
    select 0, 0, 0, 0, 0, sign * paid, sign * fee_cents
    from ${edges} cross join lateral (
      select count(*) as paid, coalesce(sum(a.fee_cents), 0) as fee_cents
      ${since(sql.fragment`a.completed_at`)}) as completed)`
}

/** Counts everything that the figures of a span are computed from. */
export const countPeriod = (
  db: CommonQueryMethods,
  scope: RecordScope,
  span: Span,
  filter: AppointmentFilter,
): Promise<Omit<PeriodCounts, 'workingMinutes'>> => {
  const from = sql.fragment`${span.from}::timestamptz`
  const until = sql.fragment`${span.until}::timestamptz`
  const now = sql.fragment`least(${until}, greatest(${from}, ${filter.now}::timestamptz))`
  return db.one(
    prepared(sql.type(Counts)`
    select scheduled - later as due, completed - "completedLater" as kept, missed - "missedLater" as "noShows", scheduled,
      cancelled, "bookedMinutes", "revenueCents", paid, patients.*, forms.*, verifications.*, answers.*
    from (
      select coalesce(sum(d.scheduled), 0)::int4 as scheduled, coalesce(sum(d.completed), 0)::int4 as completed,
        coalesce(sum(d.cancelled), 0)::int4 as cancelled, coalesce(sum(d.no_shows), 0)::int4 as missed,
        coalesce(sum(d.minutes), 0)::int8 as "bookedMinutes", coalesce(sum(d.fee_cents), 0)::int8 as "revenueCents",
        coalesce(sum(d.paid), 0)::int4 as paid
      from ${sumDays(scope, filter, from, until)} d) as appointments
    cross join (
      select coalesce(sum(d.scheduled), 0)::int4 as later, coalesce(sum(d.completed), 0)::int4 as "completedLater",
        coalesce(sum(d.no_shows), 0)::int4 as "missedLater"
      from ${sumDays(scope, filter, now, until)} d) as not_due
    cross join (
      select count(*) filter (where p.registered_at >= ${span.from}::timestamptz)::int4 as "newPatients",
        count(*) filter (where p.registered_at < ${span.from}::timestamptz)::int4 as "patientsAtStart"
      from read.analytics_patients p
      where ${inScope(scope, 'p')} and p.registered_at < ${span.until}::timestamptz) as patients
    cross join (
      select count(*)::int4 as "formsAssigned", count(f.submitted_at)::int4 as "formsSubmitted"
      from read.analytics_forms f
      where ${inScope(scope, 'f')} and ${within(sql.fragment`f.assigned_at`, span)}) as forms
    cross join (
      select count(*)::int4 as "verificationsRequested",
        count(*) filter (where v.decided)::int4 as "verificationsDecided"
      from read.analytics_verifications v
      where ${inScope(scope, 'v')} and ${within(sql.fragment`v.requested_at`, span)}) as verifications
    cross join (
      select count(*)::int4 as answers, coalesce(sum(s.score), 0)::int4 as scores
      ${answersOf(scope, span, filter)}) as answers`),
  )
}

const PointCounts = z.object({
  scheduled: counted,
  completed: counted,
  cancelled: counted,
  revenueCents: counted,
})

/** Counts appointments and revenue of each span, in the order of the spans. */
export const countPoints = (
  db: CommonQueryMethods,
  scope: RecordScope,
  spans: readonly Span[],
  filter: AppointmentFilter,
): Promise<readonly z.infer<typeof PointCounts>[]> =>
  db.any(
    prepared(sql.type(PointCounts)`
    select scheduled, completed, cancelled, "revenueCents"
    from unnest(${sql.array(
      spans.map(({ from }) => from),
      'timestamptz',
    )}, ${sql.array(
      spans.map(({ until }) => until),
      'timestamptz',
    )}) with ordinality as span (lower, upper, place)
    cross join lateral (
      select coalesce(sum(d.scheduled), 0)::int4 as scheduled, coalesce(sum(d.completed), 0)::int4 as completed,
        coalesce(sum(d.cancelled), 0)::int4 as cancelled, coalesce(sum(d.fee_cents), 0)::int8 as "revenueCents"
      from ${sumDays(scope, filter, sql.fragment`lower`, sql.fragment`upper`)} d) as sums
    order by place`),
  )

const Share = z.object({ key: z.string(), count: counted })
const BusyHour = z.object({ weekday: z.number(), hour: z.number(), count: counted })

/** Divides the work of a span. `zone` is the practice's time zone, and `on` the local date for which ages are computed. */
export async function divide(
  db: CommonQueryMethods,
  scope: RecordScope,
  span: Span,
  { zone, on, ...filter }: AppointmentFilter & { zone: string; on: string },
): Promise<Omit<AnalyticsBreakdowns, 'providers'> & { providers: { key: string; count: number }[] }> {
  const share = (key: Fragment, measure: Fragment, rest: Fragment) =>
    db.any(sql.type(Share)`
      select ${key} as key, ${measure} as count ${rest} group by 1 order by 2 desc, 1 limit 50`)
  const number = sql.fragment`count(*)::int4`
  // Erased patients leave none.
  const type = sql.fragment`coalesce(a.type, 'unknown')`
  const started = (condition: Fragment) => sql.fragment`
    from read.analytics_appointments a
    where ${inScope(scope, 'a')} and ${within(sql.fragment`a.starts_at`, span)} ${matches(filter)} and ${condition}`
  const isKept = sql.fragment`a.status <> 'cancelled'`
  const age = sql.fragment`extract(year from age(${on}::date, p.date_of_birth))`
  const local = sql.fragment`(a.starts_at at time zone ${zone})`
  const leadDays = sql.fragment`(${local}::date - (a.booked_at at time zone ${zone})::date)`
  const ofPatients = sql.fragment`from read.analytics_patients p
    where ${inScope(scope, 'p')} and p.registered_at < ${span.until}::timestamptz`
  /** Appointments of the span that were not cancelled, with a row `found` for each patient. */
  const startedBeside = (found: Fragment) => sql.fragment`
    from read.analytics_appointments a left join (${found}) found on found.patient_id = a.patient_id
    where ${inScope(scope, 'a')} and ${within(sql.fragment`a.starts_at`, span)} ${matches(filter)} and ${isKept}`
  const [types, providers, revenue, ages, noShows, leadTimes, genders, returning, insurers, busyHours, analyses] =
    await Promise.all([
      share(type, number, started(isKept)),
      share(sql.fragment`a.provider_id::text`, number, started(isKept)),
      share(
        type,
        sql.fragment`coalesce(sum(a.fee_cents), 0)::int8`,
        sql.fragment`
        from read.analytics_appointments a
        where ${inScope(scope, 'a')} and ${within(sql.fragment`a.completed_at`, span)} ${matches(filter)}`,
      ),
      share(
        sql.fragment`case when p.date_of_birth is null then 'unknown' when ${age} < 18 then 'under-18'
        when ${age} < 40 then '18-39' when ${age} < 65 then '40-64' else '65-over' end`,
        number,
        ofPatients,
      ),
      share(
        sql.fragment`extract(isodow from a.starts_at at time zone ${zone})::int4::text`,
        number,
        started(sql.fragment`a.status = 'no-show'`),
      ),
      share(
        sql.fragment`case when ${leadDays} < 1 then 'same-day' when ${leadDays} < 7 then '1-6'
        when ${leadDays} < 30 then '7-29' else '30-over' end`,
        number,
        started(sql.fragment`a.status = 'no-show'`),
      ),
      share(sql.fragment`coalesce(p.gender, 'unknown')`, number, ofPatients),
      share(
        sql.fragment`case when a.starts_at > found.first then 'returning' else 'new' end`,
        number,
        startedBeside(sql.fragment`
        select e.patient_id, min(e.starts_at) as first from read.analytics_appointments e
        where ${inScope(scope, 'e')} and e.status <> 'cancelled' group by e.patient_id`),
      ),
      share(
        sql.fragment`coalesce(found.insurer, 'none')`,
        number,
        startedBeside(sql.fragment`
        select distinct on (v.patient_id) v.patient_id, v.insurer from read.analytics_verifications v
        where ${inScope(scope, 'v')} order by v.patient_id, v.requested_at desc`),
      ),
      db.any(sql.type(BusyHour)`
      select extract(isodow from ${local})::int4 as weekday, extract(hour from ${local})::int4 as hour,
        count(*)::int4 as count
      ${started(isKept)} group by 1, 2 order by 1, 2`),
      share(
        sql.fragment`coalesce(f.analysis, 'waiting')`,
        number,
        sql.fragment`from read.analytics_forms f
        where ${inScope(scope, 'f')} and ${within(sql.fragment`f.assigned_at`, span)} and f.submitted_at is not null`,
      ),
    ])
  const named = (shares: readonly z.infer<typeof Share>[]) => shares.map((each) => ({ ...each, label: null }))
  return {
    types: named(types),
    providers: [...providers],
    revenue: named(revenue),
    ages: named(ages),
    noShows: named(noShows),
    leadTimes: named(leadTimes),
    genders: named(genders),
    returning: named(returning),
    insurers: named(insurers),
    busyHours: [...busyHours],
    analyses: named(analyses),
  }
}

const StoredRecord = z.object({ id: z.string(), patientId: PatientId, at: z.string(), status: z.string() })
type StoredRecord = z.infer<typeof StoredRecord>

/** The most records that are listed. */
const maxRecords = 1_000

/** Finds the records behind a figure, newest first. */
export function findRecords(
  db: CommonQueryMethods,
  scope: RecordScope,
  key: FigureKey,
  span: Span,
  filter: AppointmentFilter,
): Promise<readonly StoredRecord[]> {
  const appointments = (at: Fragment, condition: Fragment) =>
    db.any(sql.type(StoredRecord)`
      select a.appointment_id as id, a.patient_id as "patientId", ${at} as at, a.status
      from read.analytics_appointments a
      where ${inScope(scope, 'a')} and ${within(at, span)} ${matches(filter)} and ${condition}
      order by ${at} desc, a.appointment_id limit ${maxRecords}`)
  const start = sql.fragment`a.starts_at`
  switch (key) {
    case 'appointment-rate':
    case 'no-show-rate':
      return appointments(start, sql.fragment`a.starts_at < ${filter.now}::timestamptz`)
    case 'revenue-growth':
      return appointments(sql.fragment`a.completed_at`, sql.fragment`true`)
    case 'utilization':
      return appointments(start, sql.fragment`a.status <> 'cancelled'`)
    case 'patient-growth':
      return db.any(sql.type(StoredRecord)`
        select p.patient_id as id, p.patient_id as "patientId", p.registered_at as at, 'active' as status
        from read.analytics_patients p
        where ${inScope(scope, 'p')} and ${within(sql.fragment`p.registered_at`, span)}
        order by p.registered_at desc, p.patient_id limit ${maxRecords}`)
    case 'form-completion':
      return db.any(sql.type(StoredRecord)`
        select f.form_id as id, f.patient_id as "patientId", f.assigned_at as at,
          case when f.submitted_at is null then 'pending' else 'completed' end as status
        from read.analytics_forms f
        where ${inScope(scope, 'f')} and ${within(sql.fragment`f.assigned_at`, span)}
        order by f.assigned_at desc, f.form_id limit ${maxRecords}`)
    case 'insurance-processing':
      return db.any(sql.type(StoredRecord)`
        select v.verification_id as id, v.patient_id as "patientId", v.requested_at as at, v.status
        from read.analytics_verifications v
        where ${inScope(scope, 'v')} and ${within(sql.fragment`v.requested_at`, span)}
        order by v.requested_at desc, v.verification_id limit ${maxRecords}`)
    case 'satisfaction':
      return db.any(sql.type(StoredRecord)`
        select s.appointment_id as id, s.patient_id as "patientId", s.answered_at as at, s.score::text as status
        ${answersOf(scope, span, filter)}
        order by s.answered_at desc, s.survey_id limit ${maxRecords}`)
  }
}

const CountedAppointment = z.object({
  id: AppointmentId,
  patientId: PatientId,
  /** ISO instants. */
  startsAt: z.string(),
  /** Null for an erased patient. */
  type: AppointmentType.nullable(),
  status: z.string(),
  feeCents: z.number().nullable(),
})
type CountedAppointment = z.infer<typeof CountedAppointment>

/** Finds the appointments that start (`by` is `start`), or were completed, in a span, newest first. */
export function findCountedAppointments(
  db: CommonQueryMethods,
  scope: RecordScope,
  span: Span,
  { by, statuses }: { by: 'start' | 'completion'; statuses: 'all' | 'kept' | 'completed' | 'cancelled' },
): Promise<readonly CountedAppointment[]> {
  const at = by === 'start' ? sql.fragment`a.starts_at` : sql.fragment`a.completed_at`
  const isCounted = {
    all: sql.fragment`true`,
    kept: sql.fragment`a.status <> 'cancelled'`,
    completed: sql.fragment`a.status = 'completed'`,
    cancelled: sql.fragment`a.status = 'cancelled'`,
  }[statuses]
  return db.any(sql.type(CountedAppointment)`
    select a.appointment_id as id, a.patient_id as "patientId", a.starts_at as "startsAt", a.type, a.status,
      a.fee_cents as "feeCents"
    from read.analytics_appointments a
    where ${inScope(scope, 'a')} and ${within(at, span)} and ${isCounted}
    order by a.starts_at desc, a.appointment_id limit ${maxRecords}`)
}

/** The kind of the records behind a figure. */
export const recordKinds = {
  patients: 'patient',
  appointments: 'appointment',
  forms: 'form',
  verifications: 'verification',
  answers: 'appointment',
} as const satisfies Record<(typeof figureDefinitions)[FigureKey]['records'], string>
