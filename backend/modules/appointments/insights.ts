import { startOfMinute } from 'date-fns/startOfMinute'
import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import type { Appointment } from '#contracts/appointments.ts'
import { shareQueries } from '#database/group-calls.ts'
import { listOf, prepared } from '#database/prepared.ts'
import type { Member } from '#http/session.ts'
import { deriveAppointmentInsights, mayReadInsights } from '#modules/insights/public.ts'
import type { Services } from '#modules/module.ts'
import { inScope, recordScope, type RecordScope } from '#modules/samples/public.ts'

const isMissedSql = (scope: RecordScope, now: string) => sql.fragment`
  ${inScope(scope, 'm')} and m.status = 'no-show' and m.starts_at > (select ${now}::timestamptz - interval '1 year')`

/**
 * Returns SQL that reads how many appointments the patients of appointments `a` missed within a year: a join, and its column,
 * which is null for those that are confirmed or have begun at `now` (an ISO instant).
 */
export const missedSql = (scope: RecordScope, now: string) => ({
  join: sql.fragment`left join (
    select patient_id, count(*)::int4 as number from read.appointments m
    where ${isMissedSql(scope, now)} group by patient_id) missed on missed.patient_id = a.patient_id`,
  column: sql.fragment`case when a.status = 'scheduled' and a.starts_at > ${now} then coalesce(missed.number, 0) end`,
})

/** Derives the insights about an appointment from the column of `missedSql`. */
export const deriveInsights = (missed: number | null): Appointment['aiInsights'] =>
  missed === null ? null : deriveAppointmentInsights(missed)

const Missed = z.object({ patientId: z.string(), missed: z.number() })

type MissedBy = { scope: RecordScope; patientIds: readonly string[]; now: Date }

/**
 * Counts the appointments that patients missed within a year, by patient id. Patients who missed none are missing. The patients of calls
 * in one minute are counted together: a minute more or less makes no year.
 */
export const countMissedAppointments = shareQueries(
  async (db: CommonQueryMethods, { scope, patientIds, now }: MissedBy): Promise<Map<string, number>> => {
    const rows = await db.any(
      prepared(sql.type(Missed)`
      select patient_id as "patientId", count(*)::int4 as missed from read.appointments m
      where ${isMissedSql(scope, now.toISOString())} and patient_id = any(${listOf(patientIds, 'uuid')})
      group by patient_id`),
    )
    return new Map(rows.map(({ patientId, missed }) => [patientId, missed]))
  },
  {
    toName: ({ scope, now }) => JSON.stringify([scope, startOfMinute(now)]),
    merge: (calls, first) => ({ ...first, patientIds: calls.flatMap(({ patientIds }) => patientIds) }),
  },
)

/** Adds insights to upcoming appointments, for callers who may read insights. */
export async function addInsights(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  caller: Member,
  appointments: readonly Appointment[],
): Promise<Appointment[]> {
  const now = clock()
  const nowText = now.toISOString()
  const isUnconfirmed = ({ status, appointmentDate, patientDeceased }: Appointment) =>
    status === 'scheduled' && appointmentDate > nowText && !patientDeceased
  const patientIds = [...new Set(appointments.filter(isUnconfirmed).map(({ patientId }) => patientId))]
  if (!mayReadInsights(caller) || patientIds.length === 0) return [...appointments]
  const missed = await countMissedAppointments(db, { scope: recordScope(caller), patientIds, now })
  return appointments.map((appointment) =>
    isUnconfirmed(appointment)
      ? { ...appointment, aiInsights: deriveAppointmentInsights(missed.get(appointment.patientId) ?? 0) }
      : appointment,
  )
}

/** Adds insights to one appointment. */
export const addInsight = async (
  services: Pick<Services, 'db' | 'clock'>,
  caller: Member,
  appointment: Appointment,
): Promise<Appointment> => (await addInsights(services, caller, [appointment]))[0] ?? appointment
