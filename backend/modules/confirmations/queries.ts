import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import { Confirmation, type ConfirmationCounts } from '#contracts/confirmations.ts'
import {
  defaultConfirmationSettings,
  MessageLanguage,
  ReminderTiming,
  ReminderType,
} from '#contracts/values/confirmations.ts'
import { AppointmentId, ConfirmationId, PatientId, PracticeId } from '#contracts/values/ids.ts'
import { canReceiveTexts } from '#contracts/values/phone.ts'
import { groupQueries } from '#database/group-calls.ts'
import { listOf, prepared } from '#database/prepared.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'
import type { ConfirmationSettings } from './decider.ts'

const TotalRow = z.object({ total: z.number() })
const StatusAndTotalRow = z.object({ status: z.string(), total: z.number() })
const OpenRow = z.object({ id: ConfirmationId, appointmentId: z.string() })

type Fragment = ReturnType<typeof sql.fragment>

const tables = sql.fragment`from read.confirmations c join read.confirmation_patients p on p.id = c.patient_id`

const selectConfirmations = (rest: Fragment) => sql.type(Confirmation)`
  select c.id, c.appointment_id as "appointmentId", c.patient_id as "patientId",
    concat_ws(' ', p.first_name, p.last_name) as "patientName", c.starts_at as "appointmentDate",
    c.channel as "reminderType", c.status, c.due_at as "scheduledFor", c.sent_at as "sentAt",
    c.answered_at as "confirmedAt", p.phone as "phoneNumber", p.email, c.failure, c.delivery, c.attempts, c.closed
  ${tables} ${rest}`

/** A confirmation whose number is in the format E.164. */
export type StoredConfirmation = Confirmation

type Filter = {
  practiceId: string
  status?: string | undefined
  appointmentId?: string | undefined
}

const matches = ({ practiceId, status, appointmentId }: Filter): Fragment =>
  sql.fragment`c.practice_id = ${practiceId} and not p.removed and c.status <> 'withdrawn'
    and ${status === undefined ? sql.fragment`true` : sql.fragment`c.status = ${status}`}
    and ${appointmentId === undefined ? sql.fragment`true` : sql.fragment`c.appointment_id = ${appointmentId}`}`

/** Finds a page of confirmations, latest appointment first, with the number of all that match. */
export async function findConfirmations(
  db: CommonQueryMethods,
  { limit, cursor, ...filter }: Filter & { limit: number; cursor?: string | undefined },
): Promise<{ confirmations: StoredConfirmation[]; total: number; next: string | null }> {
  const where = matches(filter)
  const place = cursor === undefined ? null : decodeCursor(cursor)
  const after = place
    ? sql.fragment`and (c.starts_at, c.id) < (${place.at}::timestamptz, ${place.id}::uuid)`
    : sql.fragment``
  const [found, total] = await Promise.all([
    db.any(
      selectConfirmations(
        sql.fragment`where ${where} ${after} order by c.starts_at desc, c.id desc limit ${limit + 1}`,
      ),
    ),
    db.oneFirst(sql.type(TotalRow)`select count(*)::int4 as total ${tables} where ${where}`),
  ])
  const confirmations = found.slice(0, limit)
  const last = found.length > limit ? confirmations.at(-1) : undefined
  return { confirmations, total, next: last ? encodeCursor(last.appointmentDate, last.id) : null }
}

/** Finds a confirmation that a list shows; null when the practice has none. */
export const findConfirmation = (
  db: CommonQueryMethods,
  practiceId: string,
  confirmationId: string,
): Promise<StoredConfirmation | null> =>
  db.maybeOne(selectConfirmations(sql.fragment`where c.id = ${confirmationId} and ${matches({ practiceId })}`))

/** Counts the confirmations of a practice by status. */
export async function countConfirmationsByStatus(
  db: CommonQueryMethods,
  practiceId: string,
): Promise<ConfirmationCounts> {
  const rows = await db.any(
    sql.type(StatusAndTotalRow)`
      select c.status, count(*)::int4 as total ${tables} where ${matches({ practiceId })} group by c.status`,
  )
  const count = (status: string) => rows.find((row) => row.status === status)?.total ?? 0
  return {
    total: rows.reduce((sum, { total }) => sum + total, 0),
    pending: count('pending'),
    sent: count('sent'),
    confirmed: count('confirmed'),
    declined: count('declined'),
    failed: count('failed'),
  }
}

/** Finds the confirmations of an appointment that are planned, or were sent and not answered. */
export const findOpenConfirmations = groupQueries(async (db, appointmentIds: readonly string[]) => {
  const rows = await db.any(
    prepared(sql.type(OpenRow)`
      select id, appointment_id as "appointmentId" from read.confirmations
      where appointment_id = any(${listOf(appointmentIds, 'uuid')}) and closed is null
        and status in ('pending', 'sent', 'failed')`),
  )
  const found = Map.groupBy(rows, ({ appointmentId }) => appointmentId)
  return appointmentIds.map((appointmentId) => (found.get(appointmentId) ?? []).map(({ id }) => id))
})

const Settings = z.object({
  reminderType: ReminderType,
  reminderTiming: ReminderTiming,
  autoReschedule: z.boolean(),
  offerFreedSlots: z.boolean(),
  askSatisfaction: z.boolean(),
  language: MessageLanguage,
  customMessage: z.string().nullable(),
})

/** Returns the settings of a practice; the defaults when it has saved none. */
export async function findSettings(db: CommonQueryMethods, practiceId: string): Promise<ConfirmationSettings> {
  const row = await db.maybeOne(sql.type(Settings)`
    select reminder_type as "reminderType", reminder_timing as "reminderTiming", auto_reschedule as "autoReschedule",
      offer_freed_slots as "offerFreedSlots", ask_satisfaction as "askSatisfaction", language,
      custom_message as "customMessage"
    from read.confirmation_settings where practice_id = ${practiceId}`)
  return row ?? defaultConfirmationSettings
}

const ContactRow = z.object({
  id: PatientId,
  phone: z.string().nullable(),
  email: z.string().nullable(),
  removed: z.boolean(),
  deceased: z.boolean(),
})
export type Contact = Omit<z.infer<typeof ContactRow>, 'id'>

/** Returns how a patient is reached; null for an unknown one. `phone` is null where no text can be sent. */
export const findContact = groupQueries(async (db, patientIds: readonly string[]) => {
  const rows = await db.any(
    prepared(sql.type(ContactRow)`
      select id, phone, email, removed, deceased_on is not null as deceased
      from read.confirmation_patients where id = any(${listOf(patientIds, 'uuid')})`),
  )
  const contacts = new Map<string, Contact>(
    rows.map(({ id, ...contact }) => [
      id,
      { ...contact, phone: contact.phone && canReceiveTexts(contact.phone) ? contact.phone : null },
    ]),
  )
  return patientIds.map((patientId) => contacts.get(patientId) ?? null)
})

const AskedAppointment = z.object({ id: ConfirmationId, appointmentId: AppointmentId, startsAt: z.string() })

/** Finds the appointments that confirmations of a practice ask about; `startsAt` is the start (ISO) that was asked about. */
export const findAskedAppointments = (
  db: CommonQueryMethods,
  practiceId: string,
  confirmationIds: readonly string[],
): Promise<readonly z.infer<typeof AskedAppointment>[]> =>
  db.any(sql.type(AskedAppointment)`
    select id, appointment_id as "appointmentId", starts_at as "startsAt" from read.confirmations
    where practice_id = ${practiceId} and id = any(${sql.array(confirmationIds, 'uuid')})`)

const AskedByText = z.object({
  id: ConfirmationId,
  practiceId: PracticeId,
  patientId: PatientId,
  appointmentId: AppointmentId,
  startsAt: z.string(),
})
export type AskedByText = z.infer<typeof AskedByText>

/** Finds the open questions that were sent to a number by text, about appointments after an instant; at most ten. */
export const findAskedByText = (db: CommonQueryMethods, phone: string, now: string): Promise<readonly AskedByText[]> =>
  db.any(sql.type(AskedByText)`
    select c.id, c.practice_id as "practiceId", c.patient_id as "patientId", c.appointment_id as "appointmentId",
      c.starts_at as "startsAt"
    from read.confirmation_patients p
    join read.confirmations c on c.practice_id = p.practice_id and c.patient_id = p.id
    where p.phone = ${phone} and not p.removed and c.channel = 'sms' and c.status in ('sent', 'confirmed')
      and c.starts_at > ${now}::timestamptz
    order by c.starts_at limit 10`)

const PatientName = z.object({ id: z.string(), firstName: z.string().nullable(), lastName: z.string().nullable() })

/** Finds the names of patients by their ids. */
export const findPatientNames = (
  db: CommonQueryMethods,
  patientIds: readonly string[],
): Promise<readonly z.infer<typeof PatientName>[]> =>
  db.any(sql.type(PatientName)`
    select id, first_name as "firstName", last_name as "lastName" from read.confirmation_patients
    where id = any(${sql.array(patientIds, 'uuid')})`)
