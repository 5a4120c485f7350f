import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import { Appointment } from '#contracts/appointments.ts'
import { AppointmentId, PatientId, ProviderId, UserId } from '#contracts/values/ids.ts'
import { maxDuration } from '#contracts/values/appointments.ts'
import { toLocalTime } from '#modules/local-time.ts'

type Fragment = ReturnType<typeof sql.fragment>

const Row = Appointment.omit({ localDate: true, localTime: true })

const select = sql.fragment`
  select a.id, a.practice_id as "practiceId", provider_id as "providerId", patient_id as "patientId",
    jsonb_build_object('firstName', coalesce(p.first_name, 'Erased'), 'lastName', coalesce(p.last_name, 'patient')) as patient,
    starts_at as "appointmentDate", ends_at as "endsAt", duration, type, status, status_since as "statusSince", reason, notes,
    overlap, series_id as "seriesId",
    case when fee_cents is null then null else jsonb_build_object('cents', fee_cents, 'currency', currency) end as fee,
    sample, revision, created_at as "createdAt", updated_at as "updatedAt"
  from read.appointments a left join read.appointment_patients p on p.id = a.patient_id`

const withLocal =
  (zone: string) =>
  (row: z.infer<typeof Row>): Appointment => {
    const { date, time } = toLocalTime(row.appointmentDate, zone)
    return { ...row, localDate: date, localTime: time }
  }

/** `from` and `until` are ISO instants; appointments that are under way then count. */
export type AppointmentFilter = {
  practiceId: string
  from: string
  until: string
  providerId?: string | undefined
  type?: string | undefined
  status?: string | undefined
  patientId?: string | undefined
}

const equals = (column: Fragment, value: string | undefined) =>
  value === undefined ? sql.fragment`true` : sql.fragment`${column} = ${value}`

/** The appointments on a practice's days, in order, without those taken off the list. `zone` is the practice's. */
export async function findAppointments(
  db: CommonQueryMethods,
  zone: string,
  filter: AppointmentFilter,
): Promise<Appointment[]> {
  const { practiceId, from, until, providerId, type, status, patientId } = filter
  const rows = await db.any(sql.type(Row)`${select}
    where a.practice_id = ${practiceId} and listed and starts_at <= ${until} and ends_at > ${from}
      and starts_at > ${from}::timestamptz - make_interval(mins => ${maxDuration})
      and ${equals(sql.fragment`provider_id`, providerId)} and ${equals(sql.fragment`type`, type)}
      and ${equals(sql.fragment`status`, status)} and ${equals(sql.fragment`patient_id`, patientId)}
    order by starts_at, a.id`)
  return rows.map(withLocal(zone))
}

/** One appointment of a practice, also one off the list; null when there is none, or it is another practice's. */
export async function findAppointment(
  db: CommonQueryMethods,
  zone: string,
  practiceId: string,
  appointmentId: string,
): Promise<Appointment | null> {
  const row = await db.maybeOne(
    sql.type(Row)`${select} where a.id = ${appointmentId} and a.practice_id = ${practiceId}`,
  )
  return row && withLocal(zone)(row)
}

/** The appointments of a row of appointments, in order. */
export async function findSeriesAppointments(
  db: CommonQueryMethods,
  zone: string,
  practiceId: string,
  seriesId: string,
): Promise<Appointment[]> {
  const rows = await db.any(
    sql.type(Row)`${select} where series_id = ${seriesId} and a.practice_id = ${practiceId} order by starts_at, a.id`,
  )
  return rows.map(withLocal(zone))
}

const BusySlot = z.object({ id: AppointmentId, patientId: PatientId, from: z.string(), until: z.string() })
export type BusySlot = z.infer<typeof BusySlot>

/** When a provider is with somebody, between two instants. */
export const findBusySlots = (
  db: CommonQueryMethods,
  providerId: string,
  from: string,
  until: string,
): Promise<readonly BusySlot[]> =>
  db.any(sql.type(BusySlot)`
    select id, patient_id as "patientId", starts_at as from, ends_at as until from read.appointments
    where provider_id = ${providerId} and status <> 'cancelled' and starts_at < ${until} and ends_at > ${from}
      and starts_at > ${from}::timestamptz - make_interval(mins => ${maxDuration})
    order by starts_at`)

/** The practice's time zone; UTC for one that is not known (yet). */
export async function findTimeZone(db: CommonQueryMethods, practiceId: string): Promise<string> {
  const practice = await db.maybeOne(
    sql.type(z.object({ timezone: z.string() }))`
      select timezone from read.practices where practice_id = ${practiceId}`,
  )
  return practice?.timezone ?? 'UTC'
}

const PracticeProvider = z.object({
  id: ProviderId,
  userId: UserId.nullable(),
  name: z.string(),
  active: z.boolean(),
  timezone: z.string(),
})
export type PracticeProvider = z.infer<typeof PracticeProvider>

/** Those who see or saw patients of a practice; the first one first. */
export const findProviders = (db: CommonQueryMethods, practiceId: string): Promise<readonly PracticeProvider[]> =>
  db.any(sql.type(PracticeProvider)`
    select id, user_id as "userId", name, active, timezone from read.providers
    where practice_id = ${practiceId} order by created_at, id`)

const PatientOfPractice = z.object({
  id: PatientId,
  firstName: z.string(),
  lastName: z.string(),
  /** Both together. */
  name: z.string(),
  removed: z.boolean(),
})

/** A patient as far as appointments are concerned; null when there is none, or it is another practice's. */
export const findPatient = (
  db: CommonQueryMethods,
  practiceId: string,
  patientId: string,
): Promise<z.infer<typeof PatientOfPractice> | null> =>
  db.maybeOne(sql.type(PatientOfPractice)`
    select id, first_name as "firstName", last_name as "lastName", first_name || ' ' || last_name as name, removed
    from (select id, practice_id, coalesce(first_name, 'Erased') as first_name,
        coalesce(last_name, 'patient') as last_name, removed from read.appointment_patients) p
    where id = ${patientId} and practice_id = ${practiceId}`)

/** What colleagues are called, by their user ids. */
export async function findNames(db: CommonQueryMethods, userIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await db.any(
    sql.type(z.object({ userId: z.string(), name: z.string() }))`
      select user_id as "userId", first_name || ' ' || last_name as name from read.users
      where user_id = any(${sql.array(userIds, 'uuid')})`,
  )
  return new Map(rows.map(({ userId, name }) => [userId, name]))
}

/** The appointments of a patient that are still to come. */
export const findUpcomingAppointments = (
  db: CommonQueryMethods,
  practiceId: string,
  patientId: string,
  now: Date,
): Promise<readonly { id: string }[]> =>
  db.any(sql.type(z.object({ id: z.string() }))`
    select id from read.appointments
    where practice_id = ${practiceId} and patient_id = ${patientId} and starts_at > ${now.toISOString()}
      and status <> all('{cancelled,completed,no-show}')`)
