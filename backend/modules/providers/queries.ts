import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import { Provider } from '#contracts/providers.ts'
import { PracticeId, UserId } from '#contracts/values/ids.ts'

const columns = sql.fragment`id, practice_id as "practiceId", user_id as "userId", name, title, colour, active, revision,
  created_at as "createdAt", updated_at as "updatedAt"`

/** Everybody who sees or saw patients of a practice, in the order in which they came. */
export const findProviders = async (db: CommonQueryMethods, practiceId: string): Promise<Provider[]> => [
  ...(await db.any(sql.type(Provider)`
    select ${columns} from read.providers where practice_id = ${practiceId} order by created_at, id`)),
]

/** How many appointments with a provider are still to come, and when the first of them is. */
export const findUpcomingAppointments = (
  db: CommonQueryMethods,
  providerId: string,
  now: Date,
): Promise<{ appointments: number; next: string | null }> =>
  db.one(sql.type(z.object({ appointments: z.number(), next: z.string().nullable() }))`
    select count(*) as appointments, min(starts_at) as next from read.appointments
    where provider_id = ${providerId} and ends_at > ${now.toISOString()} and status <> all('{cancelled,completed,no-show}')`)

const Owner = z.object({ practiceId: PracticeId, userId: UserId, name: z.string(), timezone: z.string() })

/** Who set a practice up, and where it is; null when it is not known (yet). */
export const findOwner = (db: CommonQueryMethods, practiceId: string): Promise<z.infer<typeof Owner> | null> =>
  db.maybeOne(sql.type(Owner)`
    select p.practice_id as "practiceId", u.user_id as "userId", u.first_name || ' ' || u.last_name as name, p.timezone
    from read.practices p join read.users u on u.user_id = p.owner_id where p.practice_id = ${practiceId}`)
