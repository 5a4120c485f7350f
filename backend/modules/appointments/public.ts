import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import { AppointmentStatus, AppointmentType, maxDuration } from '#contracts/values/appointments.ts'
import { AppointmentId, PatientId } from '#contracts/values/ids.ts'
import { addDays, getStartOfDay, toLocalDate } from '#contracts/values/calendar.ts'
import { PersonName } from '#contracts/values/person-name.ts'
import type { CommandBus } from '#eventstore/command-bus.ts'
import { inScope, type RecordScope } from '#modules/samples/public.ts'
import type { Services } from '#modules/module.ts'
import { waitForReadModels } from '#modules/kit/wait-for-read-models.ts'
import * as cancellations from './cancel-appointment.ts'
import { changeAppointment as change } from './change-appointment.ts'
import * as answers from './answer-for-patient.ts'
import * as concerns from './booking-concerns.ts'
import { appointmentDecider, type KnownAppointment } from './decider.ts'
import * as freeSlots from './find-free-slots.ts'
import * as slots from './free-slots.ts'
import * as dayList from './day-list.ts'
import * as insights from './insights.ts'
import * as queries from './queries.ts'
import * as records from './require-records.ts'
import { loadSeen as loadSeenParties, reserveSlot as reserve } from './reservations.ts'
import * as conflicts from './slot-conflicts.ts'
import * as offers from './take-offered-slot.ts'

const IdRow = z.object({ id: AppointmentId })
const StartsAtRow = z.object({ startsAt: z.string().nullable() })
const StartRow = z.object({ id: z.string(), startsAt: z.string(), status: AppointmentStatus })

const Upcoming = z.object({ appointments: z.number(), next: z.string().nullable() })

/** Counts the open appointments of a provider that end after `now`. `next` is the start of the first one, an ISO instant. */
export const countUpcomingAppointments = (
  db: CommonQueryMethods,
  scope: RecordScope,
  providerId: string,
  now: Date,
): Promise<z.infer<typeof Upcoming>> =>
  db.one(sql.type(Upcoming)`
    select count(*) as appointments, min(starts_at) as next from read.appointments a
    where ${inScope(scope, 'a')} and provider_id = ${providerId} and ends_at > ${now.toISOString()}
      and starts_at > ${now.toISOString()}::timestamptz - make_interval(mins => ${maxDuration})
      and status <> all('{cancelled,completed,no-show}')`)

/**
 * Counts the open appointments of a provider that end after `now`, and apart from them those that are being booked at this
 * moment. Throws ReadModelsBehind.
 */
export async function countBookedAppointments(
  services: Pick<Services, 'db' | 'store' | 'waitUntilCaughtUp'>,
  scope: RecordScope,
  providerId: string,
  now: Date,
): Promise<{ booked: z.infer<typeof Upcoming>; pending: z.infer<typeof Upcoming> }> {
  const { db } = services
  await waitForReadModels(services, ['SlotReservedForBooking', 'SlotReservedForMove'])
  const pending = await db.one(sql.type(Upcoming)`
    select count(*) as appointments, min(starts_at) as next from read.pending_reservations
    where provider_id = ${providerId} and ends_at > ${now.toISOString()}`)
  // A reservation that is missing there because it was confirmed a moment ago is an appointment now.
  await waitForReadModels(services, ['AppointmentBooked', 'AppointmentRescheduled'])
  return { booked: await countUpcomingAppointments(db, scope, providerId, now), pending }
}

/** Reserves a slot and books or moves its appointment. Throws `CommandRejected` with `slot-taken` or `superseded`. */
export const reserveSlot = reserve

/** Loads the patient and the provider of a slot as they are, for `reserveSlot`; undefined when one of them may not be booked. */
export const loadSeen = loadSeenParties

/** Changes one appointment. Throws 404, 409 or 422. */
export const changeAppointment = change

/** Cancels appointments in their order until one fails; a repetition cancels the rest. */
export const cancelAppointments = cancellations.cancelAppointments

/** Marks a scheduled appointment as confirmed by its patient. Does nothing once it has another status or time. */
export const confirmForPatient = answers.confirmForPatient

/** Cancels an appointment that its patient declines. Does nothing once it has begun or moved. */
export const declineForPatient = answers.declineForPatient

/** Finds the next free times of the same provider for an appointment, and keeps them for its patient for ten minutes. */
export const offerOtherTimes = answers.offerOtherTimes

/** Returns whether a time that was offered to the patient of an appointment is still free. */
export const isOtherTimeFree = answers.isOtherTimeFree

/** Moves an appointment to a time that was offered to its patient. Throws `CommandRejected`. */
export const moveForPatient = answers.moveForPatient

/** Books an offered slot for its patient, or moves the appointment that the patient wanted earlier. A repetition has no effect. */
export const takeOfferedSlot = offers.takeOfferedSlot

/** Returns the appointment for which an offered slot was taken; null when it was not. */
export const wasOfferTaken = offers.wasOfferTaken

/** Loads an appointment of a practice. Throws 404 when there is none in this practice. */
export const requireAppointment = records.requireAppointment

/** Loads an appointment of a practice; null when there is none in this practice, or it was removed. */
export async function loadAppointment(
  bus: CommandBus,
  practiceId: string,
  appointmentId: string,
): Promise<KnownAppointment | null> {
  const { state } = await bus.load(appointmentDecider, appointmentId)
  return state.known && state.practiceId === practiceId ? state : null
}

/** Finds one appointment of a practice, on its day list or not; null when there is none in this practice. */
export const findAppointment = queries.findAppointment

/** Finds the ids of all appointments of a practice, cancelled ones and its sample data included. */
export const findAppointmentIds = (db: CommonQueryMethods, practiceId: string): Promise<readonly AppointmentId[]> =>
  db.anyFirst(sql.type(IdRow)`
    select id from read.appointments where practice_id = ${practiceId} order by id`)

/** Finds appointments of a practice in the order of the given ids. */
export const findAppointmentsById = queries.findAppointmentsById

/** Finds the appointments on a practice's day lists, in order, with the insights that the caller may read. */
export const findAppointments = dayList.findAppointments

/** Adds insights to upcoming appointments, for callers who may read insights. */
export const addInsights = insights.addInsights

/** Finds one page of a patient's appointments and their number: the open ones that are not over, or all others. */
export const findPatientAppointments = queries.findPatientAppointments

/** Finds the free slots of a provider on the days on which the practice and the provider work, in order. */
export const findFreeSlots = freeSlots.findFreeSlots

/** Finds the ids of open appointments of a practice that start after an instant, without samples: one page, in the order of their ids. */
export const findUpcomingIds = (
  db: CommonQueryMethods,
  practiceId: string,
  { now, after, limit }: { now: Date; after: AppointmentId | null; limit: number },
): Promise<readonly AppointmentId[]> =>
  db.anyFirst(sql.type(IdRow)`
    select id from read.appointments
    where practice_id = ${practiceId} and starts_at > ${now.toISOString()} and not sample
      and status <> all('{cancelled,completed,no-show}')
      and ${after === null ? sql.fragment`true` : sql.fragment`id > ${after}`}
    order by id limit ${limit}`)

/** Returns the start of a patient's next open appointment, an ISO instant in UTC; null without one. */
export const findNextStart = (
  db: CommonQueryMethods,
  practiceId: string,
  patientId: string,
  now: Date,
): Promise<string | null> =>
  db.oneFirst(sql.type(StartsAtRow)`
    select to_char(min(starts_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "startsAt"
    from read.appointments
    where practice_id = ${practiceId} and patient_id = ${patientId} and starts_at > ${now.toISOString()}
      and status in ('scheduled', 'confirmed')`)

const PatientRow = z.object({ patientId: PatientId })

/**
 * Finds the patients of a practice with an open appointment that starts between two instants, samples not included: one page, in the
 * order of their ids.
 */
export const findExpectedPatients = (
  db: CommonQueryMethods,
  practiceId: string,
  { from, until, after, limit }: { from: Date; until: Date; after: PatientId | null; limit: number },
): Promise<readonly PatientId[]> =>
  db.anyFirst(sql.type(PatientRow)`
    select distinct patient_id as "patientId" from read.appointments
    where practice_id = ${practiceId} and starts_at > ${from.toISOString()} and starts_at <= ${until.toISOString()}
      and not sample and status in ('scheduled', 'confirmed')
      and ${after === null ? sql.fragment`true` : sql.fragment`patient_id > ${after}::uuid`}
    order by patient_id limit ${limit}`)

const StatusCount = z.object({ status: AppointmentStatus, appointments: z.number() })

/** Counts the appointments of a scope that start between two ISO instants, by status. */
export async function countByStatus(
  db: CommonQueryMethods,
  scope: RecordScope,
  from: string,
  until: string,
): Promise<ReadonlyMap<AppointmentStatus, number>> {
  const rows = await db.any(sql.type(StatusCount)`
    select status, count(*)::int4 as appointments from read.appointments a
    where ${inScope(scope, 'a')} and starts_at >= ${from} and starts_at < ${until} group by status`)
  return new Map(rows.map(({ status, appointments }) => [status, appointments]))
}

/** Finds the appointments of a series, in order. */
export const findSeriesAppointments = queries.findSeriesAppointments

/** Finds the appointments of a provider between two ISO instants that are not cancelled. */
export const findBusySlots = queries.findBusySlots

/** Returns the ids of those slots during which their providers have an appointment. */
export const findOccupiedSlots = queries.findOccupiedSlots

/** An appointment that occupies its provider. */
export type BusySlot = queries.BusySlot

/** Throws 409 `confirm-appointment` with the concerns about requested times that the user has not confirmed. */
export const requireConfirmation = concerns.requireConfirmation

/** Does the same in the practice's working time, which is only read if the request asks. */
export const requireConfirmedTimes = concerns.requireConfirmedTimes

/** Returns whether a slot that became free is in the working time of the practice and the provider. */
export const isWorkingTime = slots.isWorkingTime

/** Length of the search for other free slots, in days. */
export const searchWindowDays = slots.searchWindowDays

/** Describes which appointment holds a slot. The patient's name is null for callers who may not read patients. */
export const describeConflict = conflicts.describeConflict

/** Finds the three free slots nearest to a start. */
export const findNearestFreeSlots = conflicts.findNearestFreeSlots

/**
 * Finds when some appointments start (ISO instants), and their status, by appointment id. Missing are unknown appointments, and sample
 * appointments that are being removed.
 */
export async function findStarts(
  db: CommonQueryMethods,
  scope: RecordScope,
  appointmentIds: readonly string[],
): Promise<Map<string, { startsAt: string; status: AppointmentStatus }>> {
  if (appointmentIds.length === 0) return new Map()
  const rows = await db.any(
    sql.type(StartRow)`
      select id, starts_at as "startsAt", status from read.appointments a
      where id = any(${sql.array(appointmentIds, 'uuid')}) and ${queries.isKeptInScope(scope)}`,
  )
  return new Map(rows.map(({ id, ...start }) => [id, start]))
}

const BookedDays = z.object({ id: z.string(), appointments: z.number(), next: z.string() })

/**
 * Counts the open appointments that are not over and start on some days, by the id of the days: local dates, both included, of
 * one provider or of all. `firstDate` is the local date of the first one. Days without appointments are missing.
 */
export async function countAppointmentsOnDays(
  db: CommonQueryMethods,
  scope: RecordScope,
  zone: string,
  days: readonly { id: string; providerId: string | null; from: string; until: string }[],
  now: Date,
): Promise<Map<string, { appointments: number; firstDate: string }>> {
  if (days.length === 0) return new Map()
  const ranges = days.map(({ id, providerId, from, until }) => [
    id,
    providerId,
    getStartOfDay(from, zone),
    getStartOfDay(addDays(until, 1), zone),
  ])
  const rows = await db.any(sql.type(BookedDays)`
    select d.id, count(*)::int4 as appointments, min(a.starts_at) as next
    from ${sql.unnest(ranges, ['uuid', 'uuid', 'timestamptz', 'timestamptz'])} as d(id, provider_id, starts, ends)
    join read.appointments a on ${inScope(scope, 'a')} and (d.provider_id is null or a.provider_id = d.provider_id)
      and a.starts_at >= d.starts and a.starts_at < d.ends and a.ends_at > ${now.toISOString()}
      and a.status <> all('{cancelled,completed,no-show}')
    group by d.id`)
  return new Map(rows.map(({ id, appointments, next }) => [id, { appointments, firstDate: toLocalDate(next, zone) }]))
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
  scope: RecordScope,
  providerId: string,
  from: string,
  until: string,
): Promise<readonly FeedAppointment[]> =>
  db.any(sql.type(FeedAppointment)`
    select a.id, coalesce(left(p.first_name, 1) || '. ', '') || coalesce(left(p.last_name, 1) || '.', '') as initials,
      starts_at as "startsAt", ends_at as "endsAt", status, revision, a.created_at as "createdAt", a.updated_at as "updatedAt"
    from read.appointments a left join read.appointment_patients p on p.id = a.patient_id
    where ${inScope(scope, 'a')} and provider_id = ${providerId} and status <> 'cancelled'
      and starts_at >= ${from} and starts_at < ${until}
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

const Comparison = z.object({
  appointments: z.number(),
  otherDate: z.number(),
  examples: z.array(
    z.object({
      id: AppointmentId,
      patient: PersonName,
      before: z.object({ date: z.string(), time: z.string() }),
      after: z.object({ date: z.string(), time: z.string() }),
    }),
  ),
})

const localTimeSql = (local: ReturnType<typeof sql.fragment>) => sql.fragment`
  json_build_object('date', to_char(${local}, 'YYYY-MM-DD'), 'time', to_char(${local}, 'HH24:MI'))`

/**
 * Compares the local times of a practice's upcoming appointments in two time zones (IANA). Counts those that differ, with
 * the first three as examples.
 */
export const compareLocalTimes = (
  db: CommonQueryMethods,
  scope: RecordScope,
  zones: { before: string; after: string },
  now: Date,
): Promise<z.infer<typeof Comparison>> =>
  db.one(sql.type(Comparison)`
    with moved as materialized (
      select * from (
        select id, patient_id, starts_at, starts_at at time zone ${zones.before} as before,
          starts_at at time zone ${zones.after} as after
        from read.appointments a
        where ${inScope(scope, 'a')} and starts_at > ${now.toISOString()}
          and on_day_list and status <> all('{cancelled,completed,no-show}')) as upcoming
      where before <> after),
    examples as (
      select m.id, json_build_object('firstName', coalesce(p.first_name, 'Erased'),
          'lastName', coalesce(p.last_name, 'patient')) as patient,
        ${localTimeSql(sql.fragment`before`)} as before, ${localTimeSql(sql.fragment`after`)} as after
      from (select * from moved order by starts_at, id limit 3) as m
      left join read.appointment_patients p on p.id = m.patient_id
      order by m.starts_at, m.id)
    select (select count(*)::int4 from moved) as appointments,
      (select count(*)::int4 from moved where before::date <> after::date) as "otherDate",
      coalesce((select json_agg(examples) from examples), '[]') as examples`)
