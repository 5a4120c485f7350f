import { type CommonQueryMethods, sql } from 'slonik'
import { Provider } from '#contracts/providers.ts'

const columns = sql.fragment`id, practice_id as "practiceId", user_id as "userId", name, title, colour, active, revision,
  created_at as "createdAt", updated_at as "updatedAt"`

/** Returns the providers of a practice, inactive ones included, in the order in which they were added. */
export const findProviders = async (db: CommonQueryMethods, practiceId: string): Promise<Provider[]> => [
  ...(await db.any(sql.type(Provider)`
    select ${columns} from read.providers where practice_id = ${practiceId} order by created_at, id`)),
]
