import { useQuery } from '@tanstack/react-query'
import { practiceQuery } from '#web/entities/practices/practice-query.ts'
import { useHasPermission } from '#web/entities/accounts/current-user.ts'
import { providersQuery } from '#web/entities/providers/providers.ts'
import { toLocalDateTime } from './local-time.ts'
import type { SchedulingContext } from './scheduling-context.ts'
import { useNow } from './use-now.ts'

/** The practice as this screen needs it; null while it is on its way. */
export function useSchedulingContext(practiceId: string): {
  desk: SchedulingContext | null
  error: Error | null
  retry: () => void
} {
  const practice = useQuery(practiceQuery(practiceId))
  const providers = useQuery(providersQuery)
  const mayAddProvider = useHasPermission('settings')
  const now = useNow()
  const retry = () => {
    if (practice.error) void practice.refetch()
    if (providers.error) void providers.refetch()
  }
  if (!practice.data || !providers.data) return { desk: null, error: practice.error ?? providers.error, retry }
  const { date, time } = toLocalDateTime(practice.data.timezone, now)
  return {
    desk: {
      practiceName: practice.data.name,
      timeZone: practice.data.timezone,
      today: date,
      time,
      now,
      activeProviders: providers.data.filter(({ active }) => active),
      allProviders: providers.data,
      canAddProvider: mayAddProvider,
    },
    error: null,
    retry,
  }
}
