import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import { AppointmentStatus, AppointmentType } from '#contracts/values/appointments.ts'
import { AppointmentId } from '#contracts/values/ids.ts'
import { cancelAppointment as cancel } from './cancel-appointment.ts'
import { changeAppointment as change } from './change-appointment.ts'
import * as queries from './queries.ts'
import * as records from './require-records.ts'
import { reserveSlot as reserve } from './reservations.ts'
import * as conflicts from './slot-conflicts.ts'

const Upcoming = z.object({ appointments: z.number(), next: z.string().nullable() })

/** Counts the open appointments of a provider that end after `now`. `next` is the start of the first one, an ISO instant. */
export const findUpcomingAppointments = (
  db: CommonQueryMethods,
  providerId: string,
  now: Date,
): Promise<z.infer<typeof Upcoming>> =>
  db.one(sql.type(Upcoming)`
    select count(*) as appointments, min(starts_at) as next from read.appointments
    where provider_id = ${providerId} and ends_at > ${now.toISOString()} and status <> all('{cancelled,completed,no-show}')`)

/** Reserves a slot and books or moves its appointment. Throws `CommandRejected` with `slot-taken` or `superseded`. */
export const reserveSlot = reserve

/** Changes one appointment. Throws 404, 409 or 422. */
export const changeAppointment = change

/** Cancels one appointment. Throws 404. */
export const cancelAppointment = cancel

/** Loads an appointment of a practice. Throws 404 when there is none in this practice. */
export const requireAppointment = records.requireAppointment

/** Finds a patient of a practice. Throws 404 when there is none in this practice, or the patient was removed. */
export const requirePatient = records.requirePatient

/** Returns whether a patient of a practice was removed, also a moment ago. Throws ReadModelsBehind. */
export const wasPatientRemoved = records.wasPatientRemoved

/** Finds those of some patients that belong to the practice, removed ones included. */
export const findPatients = queries.findPatients

/** Finds one appointment of a practice, on its day list or not; null when there is none in this practice. */
export const findAppointment = queries.findAppointment

/** Finds the appointments of a series, in order. */
export const findSeriesAppointments = queries.findSeriesAppointments

/** Finds the appointments of a provider between two ISO instants that are not cancelled. */
export const findBusySlots = queries.findBusySlots

/** An appointment that occupies its provider. */
export type BusySlot = queries.BusySlot

/** Describes which appointment holds a slot. The patient's name is null for callers who may not read patients. */
export const describeConflict = conflicts.describeConflict

/** Finds the three free slots nearest to a start. */
export const findNearestFreeSlots = conflicts.findNearestFreeSlots

/** Finds the starts of appointments (ISO instants), by appointment id. Unknown appointments are missing. */
export async function findStarts(
  db: CommonQueryMethods,
  appointmentIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.any(
    sql.type(z.object({ id: z.string(), startsAt: z.string() }))`
      select id, starts_at as "startsAt" from read.appointments where id = any(${sql.array(appointmentIds, 'uuid')})`,
  )
  return new Map(rows.map(({ id, startsAt }) => [id, startsAt]))
}

const FeedAppointment = z.object({
  id: z.string(),
  initials: z.string(),
  startsAt: z.string(),
  endsAt: z.string(),
  status: AppointmentStatus,
  revision: z.number(),
  createdAt: z.string(),
  updatedAt: z.string(),
})

/** An appointment for a calendar feed. Of the patient it contains only the initials. */
export type FeedAppointment = z.infer<typeof FeedAppointment>

/** Finds the appointments of a provider that start between two ISO instants and are not cancelled. */
export const findFeedAppointments = (
  db: CommonQueryMethods,
  providerId: string,
  from: string,
  until: string,
): Promise<readonly FeedAppointment[]> =>
  db.any(sql.type(FeedAppointment)`
    select a.id, coalesce(left(p.first_name, 1) || '. ', '') || coalesce(left(p.last_name, 1) || '.', '') as initials,
      starts_at as "startsAt", ends_at as "endsAt", status, revision, a.created_at as "createdAt", a.updated_at as "updatedAt"
    from read.appointments a left join read.appointment_patients p on p.id = a.patient_id
    where provider_id = ${providerId} and status <> 'cancelled' and starts_at >= ${from} and starts_at < ${until}
    order by starts_at, a.id`)

const LocalTime = z.object({ id: AppointmentId, type: AppointmentType, localDate: z.string(), localTime: z.string() })

/** Returns type, date (YYYY-MM-DD) and time (HH:mm) of appointments in a time zone (IANA), in order of their start. */
export const findLocalTimes = (
  db: CommonQueryMethods,
  appointmentIds: readonly string[],
  timeZone: string,
): Promise<readonly z.infer<typeof LocalTime>[]> =>
  db.any(sql.type(LocalTime)`
    select id, type, to_char(starts_at at time zone ${timeZone}, 'YYYY-MM-DD') as "localDate",
      to_char(starts_at at time zone ${timeZone}, 'HH24:MI') as "localTime"
    from read.appointments where id = any(${sql.array(appointmentIds, 'uuid')}) order by starts_at`)
