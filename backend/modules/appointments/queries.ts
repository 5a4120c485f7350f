import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import { Appointment } from '#contracts/appointments.ts'
import { maxDuration } from '#contracts/values/appointments.ts'
import { AppointmentId, PatientId } from '#contracts/values/ids.ts'
import { toLocalDateTime } from '#contracts/values/calendar.ts'

type Fragment = ReturnType<typeof sql.fragment>

const Row = Appointment.omit({ localDate: true, localTime: true })

// The names of an erased patient are null.
const firstName = sql.fragment`coalesce(p.first_name, 'Erased')`
const lastName = sql.fragment`coalesce(p.last_name, 'patient')`

const select = sql.fragment`
  select a.id, a.practice_id as "practiceId", provider_id as "providerId", patient_id as "patientId",
    jsonb_build_object('firstName', ${firstName}, 'lastName', ${lastName}) as patient,
    starts_at as "appointmentDate", ends_at as "endsAt", duration, type, status, status_since as "statusSince", reason, notes,
    overlap, series_id as "seriesId",
    case when fee_cents is null then null else jsonb_build_object('cents', fee_cents, 'currency', currency) end as fee,
    sample, revision, created_at as "createdAt", updated_at as "updatedAt"
  from read.appointments a left join read.appointment_patients p on p.id = a.patient_id`

const withLocalTime =
  (zone: string) =>
  (row: z.infer<typeof Row>): Appointment => {
    const { date, time } = toLocalDateTime(row.appointmentDate, zone)
    return { ...row, localDate: date, localTime: time }
  }

/** The filter of a list. `from` and `until` are ISO instants; appointments in progress at `from` are included. */
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

/** Finds the appointments on a practice's day lists, in order. `zone` is the practice's time zone. */
export async function findAppointments(
  db: CommonQueryMethods,
  zone: string,
  filter: AppointmentFilter,
): Promise<Appointment[]> {
  const { practiceId, from, until, providerId, type, status, patientId } = filter
  const rows = await db.any(sql.type(Row)`${select}
    where a.practice_id = ${practiceId} and on_day_list and starts_at <= ${until} and ends_at > ${from}
      and starts_at > ${from}::timestamptz - make_interval(mins => ${maxDuration})
      and ${equals(sql.fragment`provider_id`, providerId)} and ${equals(sql.fragment`type`, type)}
      and ${equals(sql.fragment`status`, status)} and ${equals(sql.fragment`patient_id`, patientId)}
    order by starts_at, a.id`)
  return rows.map(withLocalTime(zone))
}

/** Finds one appointment of a practice, on its day list or not; null when there is none in this practice. */
export async function findAppointment(
  db: CommonQueryMethods,
  zone: string,
  practiceId: string,
  appointmentId: string,
): Promise<Appointment | null> {
  const row = await db.maybeOne(
    sql.type(Row)`${select} where a.id = ${appointmentId} and a.practice_id = ${practiceId}`,
  )
  return row && withLocalTime(zone)(row)
}

/** Finds the appointments of a series, in order. */
export async function findSeriesAppointments(
  db: CommonQueryMethods,
  zone: string,
  practiceId: string,
  seriesId: string,
): Promise<Appointment[]> {
  const rows = await db.any(
    sql.type(Row)`${select} where series_id = ${seriesId} and a.practice_id = ${practiceId} order by starts_at, a.id`,
  )
  return rows.map(withLocalTime(zone))
}

const BusySlot = z.object({ appointmentId: AppointmentId, patientId: PatientId, from: z.string(), until: z.string() })

/** An appointment that occupies its provider from one ISO instant to another. */
export type BusySlot = z.infer<typeof BusySlot>

/** Finds the appointments of a provider between two ISO instants that are not cancelled. */
export const findBusySlots = (
  db: CommonQueryMethods,
  providerId: string,
  from: string,
  until: string,
): Promise<readonly BusySlot[]> =>
  db.any(sql.type(BusySlot)`
    select id as "appointmentId", patient_id as "patientId", starts_at as from, ends_at as until from read.appointments
    where provider_id = ${providerId} and status <> 'cancelled' and starts_at < ${until} and ends_at > ${from}
      and starts_at > ${from}::timestamptz - make_interval(mins => ${maxDuration})
    order by starts_at`)

const AppointmentPatient = z.object({
  id: PatientId,
  firstName: z.string(),
  lastName: z.string(),
  removed: z.boolean(),
})
export type AppointmentPatient = z.infer<typeof AppointmentPatient>

/** Finds those of some patients that belong to the practice, removed ones included. */
export const findPatients = (
  db: CommonQueryMethods,
  practiceId: string,
  patientIds: readonly string[],
): Promise<readonly AppointmentPatient[]> =>
  db.any(sql.type(AppointmentPatient)`
    select id, ${firstName} as "firstName", ${lastName} as "lastName", removed from read.appointment_patients p
    where id = any(${sql.array(patientIds, 'uuid')}) and practice_id = ${practiceId}`)

/** Finds a patient of a practice, also a removed one; null when there is none in this practice. */
export const findPatient = async (
  db: CommonQueryMethods,
  practiceId: string,
  patientId: string,
): Promise<AppointmentPatient | null> => (await findPatients(db, practiceId, [patientId]))[0] ?? null

/** Finds the upcoming appointments of a patient that are neither cancelled nor over. */
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
