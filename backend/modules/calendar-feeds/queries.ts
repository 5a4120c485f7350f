import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import { CalendarFeed } from '#contracts/calendar-feeds.ts'
import { AppointmentStatus } from '#contracts/values/appointments.ts'

/** The open addresses of a practice, oldest first. */
export const findFeeds = async (db: CommonQueryMethods, practiceId: string): Promise<CalendarFeed[]> => [
  ...(await db.any(sql.type(CalendarFeed)`
    select f.id, f.provider_id as "providerId", f.label, f.created_at as "createdAt",
      u.first_name || ' ' || u.last_name as "createdBy"
    from read.calendar_feeds f left join read.users u on u.user_id = f.created_by
    where f.practice_id = ${practiceId} order by f.created_at, f.id`)),
]

const FeedTarget = z.object({ providerId: z.string(), providerName: z.string() })

/** Whose calendar a secret opens; null when it opens none (any more). */
export const findFeedBySecret = (
  db: CommonQueryMethods,
  secretHash: string,
): Promise<z.infer<typeof FeedTarget> | null> =>
  db.maybeOne(sql.type(FeedTarget)`
    select f.provider_id as "providerId", p.name as "providerName"
    from read.calendar_feeds f join read.providers p on p.id = f.provider_id where f.secret_hash = ${secretHash}`)

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
export type FeedAppointment = z.infer<typeof FeedAppointment>

/** The appointments of a provider between two instants, with nothing of the patient but the initials. */
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
