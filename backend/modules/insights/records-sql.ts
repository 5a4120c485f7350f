import { sql } from 'slonik'
import { type InsightRule, maxBasedOn } from '#contracts/values/insights.ts'
import { inScope, type RecordScope } from '#modules/samples/public.ts'
import { patientCoverageSql } from './coverage.ts'
import { coverageDays } from './rules/coverage-ending.ts'
import { unverifiedDays } from './rules/coverage-unverified.ts'
import { soonDays } from './rules/deceased-booked.ts'
import { maxWaitingDays } from './rules/forms-waiting.ts'
import { noteDays, writingDays } from './rules/notes-missing.ts'
import { minMissed } from './rules/repeated-no-shows.ts'

export type Fragment = ReturnType<typeof sql.fragment>

/** The moment of a query: `zone` (IANA) and `today`, the local date, are SQL expressions of the surrounding query. */
export type LocalMoment = { now: Date; zone: Fragment; today: Fragment }

/** The rules whose insights rest on records that SQL finds. */
export type RecordRule = Exclude<InsightRule, 'empty-hours'>

const nowSql = ({ now }: Pick<LocalMoment, 'now'>) => sql.fragment`${now.toISOString()}::timestamptz`

/** Returns the column with the start of a patient's last kept appointment in a scope, past or upcoming. */
const lastSql = ({ includeSamples }: RecordScope) =>
  includeSamples ? sql.fragment`p.last_appointment` : sql.fragment`p.last_own_appointment`

/** Returns the SQL condition for patients `p` whose last appointment in a scope was over a year ago. */
const isOverdueSql = (scope: RecordScope, moment: LocalMoment) => sql.fragment`
  p.practice_id = ${scope.practiceId} and p.living and ${lastSql(scope)} < ${nowSql(moment)} - interval '1 year'`

/** Returns SQL for the month in which an overdue patient `p` was last seen: the grounds, because there may be thousands. */
const lastMonthSql = (scope: RecordScope) => sql.fragment`to_char(${lastSql(scope)} at time zone 'UTC', 'YYYY-MM')`

/** The days ahead in which a rule looks at appointments, and those in which it flags them; 0 is today. */
type CoverageDays = { ahead: number; urgent: number }

/**
 * Returns SQL for the coming appointments whose coverage fulfils a condition. `coverage` is null for a patient without a
 * verification.
 */
function coverageSql(
  scope: RecordScope,
  moment: LocalMoment,
  condition: Fragment,
  { ahead, urgent }: CoverageDays = { ahead: coverageDays, urgent: 3 },
): Fragment {
  const date = sql.fragment`(a.starts_at at time zone ${moment.zone})::date`
  return sql.fragment`
    select a.appointment_id::text as ground, a.appointment_id as id, p.first_name, p.last_name, a.starts_at as instant,
      case when ${date} <= ${moment.today} + ${urgent}::int4 then a.appointment_id end as flagged
    from read.insight_appointments a
    join read.insight_patients p on p.patient_id = a.patient_id
    left join lateral (${patientCoverageSql(scope, sql.fragment`a.patient_id`, date)}) coverage on true
    where ${inScope(scope, 'a')} and a.on_day_list and a.status in ('scheduled', 'confirmed') and p.living
      and a.starts_at > ${nowSql(moment)}
      and a.starts_at < (${moment.today} + ${ahead + 1}::int4)::timestamp at time zone ${moment.zone}
      and ${condition}`
}

/**
 * SQL for the records that each rule finds. `ground` is what a decision remembers of a record, `instant` its time or null, and
 * `flagged` the id of what the rule counts apart, or null.
 */
const recordsSql: Readonly<Record<RecordRule, (scope: RecordScope, moment: LocalMoment) => Fragment>> = {
  'urgent-findings': (scope) => sql.fragment`
    select f.form_id || ' ' || f.urgent_version as ground, f.form_id as id, p.first_name, p.last_name,
      f.waiting_since as instant, null::uuid as flagged
    from read.insight_forms f join read.insight_patients p on p.patient_id = f.patient_id
    where ${inScope(scope, 'f')} and f.is_open and f.urgent_version is not null`,
  'allergy-conflicts': (scope) => sql.fragment`
    select p.patient_id || ' ' || p.conflict_version as ground, p.patient_id as id, p.first_name, p.last_name,
      null::timestamptz as instant, case when p.conflict = 'urgent' then p.patient_id end as flagged
    from read.insight_patients p where ${inScope(scope, 'p')} and p.living and p.conflict is not null`,
  'deceased-booked': (scope, moment) => sql.fragment`
    select a.appointment_id::text as ground, a.appointment_id as id, p.first_name, p.last_name, a.starts_at as instant,
      case when a.starts_at < (${moment.today} + ${soonDays + 1}::int4)::timestamp at time zone ${moment.zone}
        then a.appointment_id end as flagged
    from read.insight_patients p join read.insight_appointments a on a.patient_id = p.patient_id
    where p.practice_id = ${scope.practiceId} and not p.living
      and ${inScope(scope, 'a')} and a.on_day_list and a.status in ('scheduled', 'confirmed') and a.starts_at > ${nowSql(moment)}`,
  'unconfirmed-tomorrow': (scope, moment) => sql.fragment`
    select a.appointment_id::text as ground, a.appointment_id as id, p.first_name, p.last_name, a.starts_at as instant,
      case when exists (
        select from read.insight_appointments m where m.patient_id = a.patient_id and ${inScope(scope, 'm')}
          and m.status = 'no-show' and m.starts_at > ${nowSql(moment)} - interval '1 year')
      then a.patient_id end as flagged
    from read.insight_appointments a left join read.insight_patients p on p.patient_id = a.patient_id
    where ${inScope(scope, 'a')} and a.on_day_list and a.status = 'scheduled' and p.living is not false
      and a.starts_at >= (${moment.today} + 1)::timestamp at time zone ${moment.zone}
      and a.starts_at < (${moment.today} + 2)::timestamp at time zone ${moment.zone}`,
  'coverage-ending': (scope, moment) => coverageSql(scope, moment, sql.fragment`coverage.status = 'not-covered'`),
  'coverage-unverified': (scope, moment) =>
    coverageSql(
      scope,
      moment,
      // A practice that verifies none here misses none.
      sql.fragment`(coverage.status = 'unknown' or coverage.status is null and p.has_insurance and exists (
        select from read.insight_coverages v where v.practice_id = ${scope.practiceId} and ${inScope(scope, 'v')}))`,
      unverifiedDays,
    ),
  'other-policy': (scope, moment) =>
    coverageSql(
      scope,
      moment,
      // The few patients with such a policy first.
      sql.fragment`coverage.status = 'covered' and coverage.is_other_policy and a.patient_id in (
        select o.patient_id from read.insight_coverages o where o.practice_id = ${scope.practiceId} and o.is_other_policy)`,
    ),
  'forms-waiting': (scope, moment) => sql.fragment`
    select f.form_id::text as ground, f.form_id as id, p.first_name, p.last_name, f.waiting_since as instant,
      case when f.is_submitted then f.form_id end as flagged
    from read.insight_forms f join read.insight_patients p on p.patient_id = f.patient_id
    where ${inScope(scope, 'f')} and f.is_open and (f.is_submitted or p.living)
      and f.waiting_since < ${nowSql(moment)} - make_interval(days => ${maxWaitingDays})`,
  'notes-missing': (scope, moment) => sql.fragment`
    select a.appointment_id::text as ground, a.appointment_id as id, p.first_name, p.last_name, a.starts_at as instant,
      null::uuid as flagged
    from read.insight_appointments a join read.insight_patients p on p.patient_id = a.patient_id
    where ${inScope(scope, 'a')} and a.status = 'completed'
      and a.starts_at > ${nowSql(moment)} - make_interval(days => ${noteDays.until})
      and a.starts_at < ${nowSql(moment)} - make_interval(days => ${noteDays.from})
      and exists (select from read.insight_documents d where ${inScope(scope, 'd')}
        and d.written_at > ${nowSql(moment)} - make_interval(days => ${writingDays}))
      and not exists (select from read.insight_documents d where ${inScope(scope, 'd')}
        and d.patient_id = a.patient_id and d.written_at >= a.starts_at)`,
  'repeated-no-shows': (scope, moment) => sql.fragment`
    select p.patient_id || ' ' || to_char(m.latest at time zone 'UTC', 'YYYY-MM-DD') as ground, p.patient_id as id,
      p.first_name, p.last_name, ${lastSql(scope)} as instant, null::uuid as flagged
    from (
      select a.patient_id, max(a.starts_at) as latest from read.insight_appointments a
      where ${inScope(scope, 'a')} and a.status = 'no-show' and a.starts_at > ${nowSql(moment)} - interval '1 year'
      group by a.patient_id having count(*) >= ${minMissed}) m
    join read.insight_patients p on p.patient_id = m.patient_id
    where p.living and ${lastSql(scope)} > ${nowSql(moment)}`,
  'no-contact': (scope, moment) => sql.fragment`
    select p.patient_id::text as ground, p.patient_id as id, p.first_name, p.last_name, ${lastSql(scope)} as instant,
      null::uuid as flagged
    from read.insight_patients p
    where p.practice_id = ${scope.practiceId} and p.living and not p.has_phone and not p.has_email
      and ${lastSql(scope)} > ${nowSql(moment)}`,
  'duplicate-patients': (scope) => sql.fragment`
    select p.patient_id::text as ground, p.patient_id as id, p.first_name, p.last_name, null::timestamptz as instant,
      null::uuid as flagged
    from (
      select p.identity from read.insight_patients p where ${inScope(scope, 'p')} and p.identity is not null
      group by p.identity having count(*) > 1) same
    join read.insight_patients p on p.identity = same.identity and ${inScope(scope, 'p')}`,
  'overdue-follow-up': (scope, moment) => sql.fragment`
    select ${lastMonthSql(scope)} as ground, p.patient_id as id, p.first_name, p.last_name, ${lastSql(scope)} as instant,
      null::uuid as flagged
    from read.insight_patients p where ${isOverdueSql(scope, moment)}`,
}

const recordRules = Object.keys(recordsSql) as RecordRule[]

/** Returns what separates the insights of a rule: only those about tomorrow are new ones every day. */
const subjectSql = (rule: RecordRule, { today }: LocalMoment) =>
  rule === 'unconfirmed-tomorrow' ? sql.fragment`(${today} + 1)::text` : sql.fragment`''`

/** Returns the SQL condition for decisions `d` that still hide an insight. */
export const isInForceSql = (practiceId: string, moment: Pick<LocalMoment, 'now'>): Fragment => sql.fragment`
  d.practice_id = ${practiceId} and (d.until is null or d.until > ${nowSql(moment)})`

/** Returns SQL for the grounds that a decision knows; an empty array without one. */
const decidedGroundsSql = (rule: RecordRule, { practiceId }: RecordScope, moment: LocalMoment) => sql.fragment`
  coalesce((select d.grounds from read.insight_decisions d
    where ${isInForceSql(practiceId, moment)} and d.rule = ${rule} and d.subject = ${subjectSql(rule, moment)}), '{}')`

/**
 * Returns the SQL condition that a rule found a record that no decision knows. It stops at the first one. Of the overdue it looks
 * only at the patient who was seen last: it is the next one who becomes overdue.
 */
function isOpenSql(rule: RecordRule, scope: RecordScope, moment: LocalMoment): Fragment {
  const decided = decidedGroundsSql(rule, scope, moment)
  const records = recordsSql[rule](scope, moment)
  const newest = rule === 'overdue-follow-up' ? sql.fragment`order by ${lastSql(scope)} desc limit 1` : sql.fragment``
  return sql.fragment`exists (select from (${records} ${newest}) found where ground <> all (${decided}))`
}

/** Returns SQL for the number of open insights that rest on records. */
export const openCountSql = (scope: RecordScope, moment: LocalMoment): Fragment => sql.fragment`(
  ${sql.join(
    recordRules.map((rule) => sql.fragment`(${isOpenSql(rule, scope, moment)})::int4`),
    sql.fragment` + `,
  )})`

/** Returns SQL for a JSON array with what each rule found: `FoundRecords` with the rule, the subject, and whether it is open. */
export const foundRecordsSql = (scope: RecordScope, moment: LocalMoment): Fragment => sql.fragment`jsonb_build_array(
  ${sql.join(
    recordRules.map((rule) => foundBySql(rule, scope, moment)),
    sql.fragment`, `,
  )})`

const foundBySql = (rule: RecordRule, scope: RecordScope, moment: LocalMoment) => sql.fragment`(
  select jsonb_build_object('rule', ${rule}::text, 'subject', ${subjectSql(rule, moment)},
    'isOpen', ${isOpenSql(rule, scope, moment)}, 'total', count(*), 'flagged', count(distinct flagged),
    'grounds', coalesce(jsonb_agg(distinct ground), '[]'),
    'first', coalesce(jsonb_agg(jsonb_build_object('id', id, 'firstName', first_name, 'lastName', last_name,
        'date', to_char(instant at time zone ${moment.zone}, 'YYYY-MM-DD'),
        'time', to_char(instant at time zone ${moment.zone}, 'HH24:MI'))
      order by place) filter (where place <= ${maxBasedOn}), '[]'))
  from (
    select records.*, row_number() over (order by instant, last_name, first_name, id) as place
    from (${recordsSql[rule](scope, moment)}) records) placed)`
