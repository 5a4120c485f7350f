import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'

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
