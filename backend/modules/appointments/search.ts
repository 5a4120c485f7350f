import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import type { Appointment } from '#contracts/appointments.ts'
import { isInSupportedYears } from '#contracts/values/appointments.ts'
import { toLocalDate } from '#contracts/values/calendar.ts'
import { searchPatients } from '#modules/patients/public.ts'
import { inScope, type RecordScope } from '#modules/samples/public.ts'
import { dayBounds } from '../kit/local-time.ts'
import { findAppointmentsById, type Readers } from './queries.ts'
import { type AppointmentSearch, readAppointmentSearch } from './search-terms.ts'

const IdRow = z.object({ id: z.string() })

type Fragment = ReturnType<typeof sql.fragment>

type SearchRequest = {
  scope: RecordScope
  /** The practice's time zone (IANA). */
  zone: string
  search: string
  limit: number
  now: Date
}

/** Patients whose appointments are found whenever they are: those whose names match best. */
const maxPatients = 50

/** The next and the latest appointments of the practice: those of all patients that match are found among them. */
const nearAppointments = 500

/** Finds the appointments on day lists that match a search: the next ones first, then the latest past ones. */
export async function searchAppointments(
  { db, keyStore }: Readers,
  { scope, zone, search, limit, now }: SearchRequest,
): Promise<Appointment[]> {
  const terms = readAppointmentSearch(search, toLocalDate(now, zone))
  if (!terms.dates.every(isInSupportedYears)) return []
  const conditions = toConditions(terms)
  const days = toDayConditions(terms, zone)
  const isPast = sql.fragment`starts_at < ${now.toISOString()}`
  const isListed = sql.fragment`${inScope(scope, 'a')} and on_day_list`
  const patientIds =
    terms.patient === '' ? null : await findPatients(db, scope, terms.patient, { days, isListed, isPast })
  if (patientIds?.length === 0 || (patientIds === null && conditions.length + days.length === 0)) return []
  const nearest = (...of: readonly Fragment[]) => {
    const where = join([isListed, ...of, ...conditions], and)
    return sql.fragment`
      (select id, starts_at from read.appointments a where ${where} and not (${isPast}) order by starts_at limit ${limit})
      union all
      (select id, starts_at from read.appointments a where ${where} and ${isPast} order by starts_at desc limit ${limit})`
  }
  // For each patient or day apart, so that an index is used whatever the practice's size.
  const found = patientIds
    ? sql.fragment`
      select near.id, starts_at from unnest(${sql.array(patientIds, 'uuid')}) as matching (wanted_id)
      cross join lateral (${nearest(sql.fragment`patient_id = wanted_id`, ...anyOf(days))}) as near`
    : days.length > 0
      ? join(
          days.map((day) => nearest(day)),
          sql.fragment` union all `,
        )
      : nearest()
  const ids = await db.anyFirst(sql.type(IdRow)`
    select id from (${found}) as found
    order by ${isPast}, abs(extract(epoch from starts_at - ${now.toISOString()}::timestamptz)), id limit ${limit}`)
  return await findAppointmentsById({ db, keyStore }, zone, scope.practiceId, ids)
}

type Candidates = { days: readonly Fragment[]; isListed: Fragment; isPast: Fragment }

/**
 * Finds the patients that match a search and may have one of the appointments to list: all those with one on the days that are
 * searched, otherwise those that match best, and all those with one of the next or latest appointments of the practice.
 */
async function findPatients(
  db: CommonQueryMethods,
  scope: RecordScope,
  search: string,
  { days, isListed, isPast }: Candidates,
): Promise<readonly string[]> {
  const near = (isWanted: Fragment, order: Fragment) => sql.fragment`
    (select patient_id from read.appointments a where ${isListed} and ${isWanted} order by starts_at ${order} limit ${nearAppointments})`
  const candidates =
    days.length > 0
      ? sql.fragment`select patient_id from read.appointments a where ${join([isListed, ...anyOf(days)], and)}`
      : sql.fragment`${near(sql.fragment`not (${isPast})`, sql.fragment`asc`)} union all ${near(isPast, sql.fragment`desc`)}`
  const among = await db.anyFirst(sql.type(IdRow)`select distinct patient_id as id from (${candidates}) as candidates`)
  return await searchPatients(db, scope, search, days.length > 0 ? 0 : maxPatients, among)
}

const join = (parts: readonly Fragment[], glue: Fragment) => sql.fragment`${sql.join(parts, glue)}`

const and = sql.fragment` and `

/** Returns a condition that one of several is met; none without any. */
const anyOf = (conditions: readonly Fragment[]) =>
  conditions.length === 0 ? [] : [sql.fragment`(${join(conditions, sql.fragment` or `)})`]

function toConditions({ ids, types }: AppointmentSearch): Fragment[] {
  const conditions: Fragment[] = []
  if (ids)
    conditions.push(sql.fragment`(id between ${ids.first}::uuid and ${ids.last}::uuid
      or patient_id between ${ids.first}::uuid and ${ids.last}::uuid)`)
  if (types.length > 0) conditions.push(sql.fragment`type = any(${sql.array(types, 'text')})`)
  return conditions
}

const toDayConditions = ({ dates }: AppointmentSearch, zone: string): Fragment[] =>
  [...new Set(dates)].map((date) => {
    const { from, until } = dayBounds(date, zone)
    return sql.fragment`starts_at >= ${from} and starts_at < ${until}`
  })
