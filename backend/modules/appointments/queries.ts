import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import { Appointment, BusyDay } from '#contracts/appointments.ts'
import { maxDuration } from '#contracts/values/appointments.ts'
import { AppointmentId, PatientId } from '#contracts/values/ids.ts'
import { toLocalDateTime } from '#contracts/values/calendar.ts'
import { groupQueries } from '#database/group-calls.ts'
import { listOf, prepared } from '#database/prepared.ts'
import type { KeyStore } from '#encryption/key-store.ts'
import { dayBounds } from '#modules/kit/local-time.ts'
import type { Services } from '#modules/module.ts'
import { inScope, type RecordScope } from '#modules/samples/public.ts'
import { openFields } from '#projections/sealed-columns.ts'

const TotalRow = z.object({ total: z.number() })
const IdRow = z.object({ id: z.string() })

type Fragment = ReturnType<typeof sql.fragment>

/** A row of an appointment, its clinical fields encrypted. */
export const Row = Appointment.omit({ localDate: true, localTime: true, aiInsights: true })

/** The read models and the keys of their encrypted columns. */
export type Readers = Pick<Services, 'db' | 'keyStore'>

// The names of an erased patient are null.
const firstName = sql.fragment`coalesce(p.first_name, 'Erased')`
const lastName = sql.fragment`coalesce(p.last_name, 'patient')`

/** The columns of `Row`, from `tables`. */
export const columns = sql.fragment`
  a.id, a.practice_id as "practiceId", provider_id as "providerId", a.patient_id as "patientId",
    jsonb_build_object('firstName', ${firstName}, 'lastName', ${lastName}) as patient,
    p.deceased_on is not null as "patientDeceased",
    starts_at as "appointmentDate", ends_at as "endsAt", duration, type, status, status_since as "statusSince", reason, notes,
    overlap, series_id as "seriesId",
    case when fee_cents is null then null else jsonb_build_object('cents', fee_cents, 'currency', currency) end as fee,
    sample, revision, created_at as "createdAt", updated_at as "updatedAt"`
// With a limit, names are always looked up by their key: PostgreSQL would otherwise expect a plan for any day to read all of them.
export const tables = sql.fragment`from read.appointments a left join lateral (
  select first_name, last_name, deceased_on, concat(xmin, ctid) as version from read.appointment_patients where id = a.patient_id limit 1) p on true`
const select = sql.fragment`select ${columns} ${tables}`

const sealedColumns = { reason: 'reason', notes: 'notes' }

/** Returns rows in the shape of the contract: decrypted, with the local time of their start. */
export async function toAppointments(
  keyStore: Pick<KeyStore, 'getMany'>,
  zone: string,
  rows: readonly z.infer<typeof Row>[],
): Promise<Appointment[]> {
  const opened = await openFields(keyStore, rows, sealedColumns, ({ id, patientId }) => ({
    key: id,
    subject: patientId,
  }))
  return (opened as z.infer<typeof Row>[]).map((row) => {
    const { date, time } = toLocalDateTime(row.appointmentDate, zone)
    return { ...row, localDate: date, localTime: time, aiInsights: null }
  })
}

/** Finds when each provider of a practice is busy on its days from `from` to `until` (YYYY-MM-DD, both included) in its time zone. */
export async function findBusyDays(
  db: CommonQueryMethods,
  scope: RecordScope,
  zone: string,
  { from, until }: { from: string; until: string },
): Promise<readonly BusyDay[]> {
  return await db.any(
    prepared(sql.type(BusyDay)`
    select to_char(local, 'YYYY-MM-DD') as date, provider_id as "providerId",
      jsonb_agg(jsonb_build_object('localTime', to_char(local, 'HH24:MI'), 'duration', duration) order by local) as times
    from (
      select starts_at at time zone ${zone} as local, provider_id, duration from read.appointments a
      where ${inScope(scope, 'a')} and on_day_list and status <> 'cancelled'
        and starts_at >= ${dayBounds(from, zone).from} and starts_at < ${dayBounds(until, zone).until}
    ) as busy
    group by 1, 2 order by 1, 2`),
  )
}

/** Finds one appointment of a practice, on its day list or not; null when there is none in this practice. */
export async function findAppointment(
  { db, keyStore }: Readers,
  zone: string,
  practiceId: string,
  appointmentId: string,
): Promise<Appointment | null> {
  const row = await findRow(db, appointmentId)
  return row?.practiceId === practiceId ? ((await toAppointments(keyStore, zone, [row]))[0] ?? null) : null
}

/** Finds one appointment of any practice. */
const findRow = groupQueries(async (db, appointmentIds: readonly string[]) => {
  const rows = await db.any(prepared(sql.type(Row)`${select} where a.id = any(${listOf(appointmentIds, 'uuid')})`))
  const byId = new Map<string, z.infer<typeof Row>>(rows.map((row) => [row.id, row]))
  return appointmentIds.map((appointmentId) => byId.get(appointmentId) ?? null)
})

/**
 * Returns the SQL condition for appointments `a` whose time is occupied in a scope: unlike `inScope`, also samples that a user
 * edited, which become the practice's own.
 */
export const isKeptInScope = ({ includeSamples }: Pick<RecordScope, 'includeSamples'>): Fragment =>
  includeSamples ? sql.fragment`true` : sql.fragment`(not a.sample or a.edited)`

/** Returns the SQL condition for appointments that are open and not over at an instant. */
const isOpenAt = (now: Date): Fragment =>
  sql.fragment`ends_at > ${now.toISOString()} and status <> all('{cancelled,completed,no-show}')`

type PatientAppointmentsRequest = {
  scope: RecordScope
  patientId: string
  period: 'upcoming' | 'past'
  now: Date
  limit: number
  offset: number
}

/**
 * Finds one page of a patient's appointments and their number: the open ones that are not over, next first, or all others,
 * newest first.
 */
export async function findPatientAppointments(
  { db, keyStore }: Readers,
  zone: string,
  { scope, patientId, period, now, limit, offset }: PatientAppointmentsRequest,
): Promise<{ appointments: Appointment[]; total: number }> {
  const isUpcoming = isOpenAt(now)
  const where = sql.fragment`${inScope(scope, 'a')} and patient_id = ${patientId}
    and (${isUpcoming}) = ${period === 'upcoming'}`
  const order = period === 'upcoming' ? sql.fragment`starts_at, a.id` : sql.fragment`starts_at desc, a.id desc`
  const [rows, total] = await Promise.all([
    db.any(sql.type(Row)`${select} where ${where} order by ${order} limit ${limit} offset ${offset}`),
    db.oneFirst(sql.type(TotalRow)`
      select count(*)::int4 as total from read.appointments a where ${where}`),
  ])
  return { appointments: await toAppointments(keyStore, zone, rows), total }
}

const AppointmentIdRow = z.object({ id: AppointmentId })

/** Finds the appointments of a patient that are open and not over, in order. */
export const findOpenAppointments = (
  db: CommonQueryMethods,
  scope: RecordScope,
  patientId: string,
  now: Date,
): Promise<readonly AppointmentId[]> =>
  db.anyFirst(sql.type(AppointmentIdRow)`
    select id from read.appointments a
    where ${inScope(scope, 'a')} and patient_id = ${patientId} and ${isOpenAt(now)}
    order by starts_at, id`)

/** Finds appointments of a practice in the order of their ids. */
export async function findAppointmentsById(
  { db, keyStore }: Readers,
  zone: string,
  practiceId: string,
  ids: readonly string[],
): Promise<Appointment[]> {
  if (ids.length === 0) return []
  const rows = await db.any(
    sql.type(Row)`${select} where a.id = any(${sql.array(ids, 'uuid')}) and a.practice_id = ${practiceId}`,
  )
  const found = await toAppointments(keyStore, zone, rows)
  const byId = new Map<string, Appointment>(found.map((appointment) => [appointment.id, appointment]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** Finds the appointments of a series, in order. */
export async function findSeriesAppointments(
  { db, keyStore }: Readers,
  zone: string,
  practiceId: string,
  seriesId: string,
): Promise<Appointment[]> {
  const rows = await db.any(
    sql.type(Row)`${select} where series_id = ${seriesId} and a.practice_id = ${practiceId} order by starts_at, a.id`,
  )
  return await toAppointments(keyStore, zone, rows)
}

const BusySlot = z.object({ appointmentId: AppointmentId, patientId: PatientId, from: z.string(), until: z.string() })

/** An appointment that occupies its provider from one ISO instant to another. */
export type BusySlot = z.infer<typeof BusySlot>

/**
 * Finds the appointments of a provider between two ISO instants that are not cancelled, without the sample appointments that
 * are being removed.
 */
export const findBusySlots = (
  db: CommonQueryMethods,
  scope: RecordScope,
  providerId: string,
  from: string,
  until: string,
): Promise<readonly BusySlot[]> =>
  db.any(
    prepared(sql.type(BusySlot)`
    select id as "appointmentId", patient_id as "patientId", starts_at as from, ends_at as until from read.appointments a
    where ${isKeptInScope(scope)} and provider_id = ${providerId} and status <> 'cancelled' and starts_at < ${until} and ends_at > ${from}
      and starts_at > ${from}::timestamptz - make_interval(mins => ${maxDuration})
    order by starts_at`),
  )

/** A time of a provider; `duration` in minutes. */
type TimeSlot = { id: string; providerId: string; startsAt: string; duration: number }

/** Returns the ids of those slots during which their providers have an appointment, as `findBusySlots` finds them. */
export async function findOccupiedSlots(
  db: CommonQueryMethods,
  scope: RecordScope,
  slots: readonly TimeSlot[],
): Promise<Set<string>> {
  const tuples = slots.map(({ id, providerId, startsAt, duration }) => [id, providerId, startsAt, duration])
  const ids = await db.anyFirst(sql.type(IdRow)`
    select s.id from ${sql.unnest(tuples, ['uuid', 'uuid', 'timestamptz', 'int4'])} as s(id, provider_id, starts_at, duration)
    where exists (
      select from read.appointments a
      where ${isKeptInScope(scope)} and a.provider_id = s.provider_id and a.status <> 'cancelled'
        and a.starts_at < s.starts_at + make_interval(mins => s.duration) and a.ends_at > s.starts_at
        and a.starts_at > s.starts_at - make_interval(mins => ${maxDuration}))`)
  return new Set(ids)
}

/** Finds the upcoming appointments of a patient that are neither cancelled nor over. */
export const findUpcomingAppointments = (
  db: CommonQueryMethods,
  practiceId: string,
  patientId: string,
  now: Date,
): Promise<readonly { id: string }[]> =>
  db.any(sql.type(IdRow)`
    select id from read.appointments
    where practice_id = ${practiceId} and patient_id = ${patientId} and starts_at > ${now.toISOString()}
      and status <> all('{cancelled,completed,no-show}')`)
