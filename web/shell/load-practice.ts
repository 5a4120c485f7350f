import type { QueryClient } from '@tanstack/react-query'
import type { Practice } from '#contracts/practices.ts'

/** Returns the practice of the user, from the cache if it is there. Its query is loaded with it, not with the sign-in screen. */
export async function loadPractice(queries: QueryClient, practiceId: string): Promise<Practice> {
  const { practiceQuery } = await import('#web/entities/practices/practice-query.ts')
  return await queries.ensureQueryData(practiceQuery(practiceId))
}
