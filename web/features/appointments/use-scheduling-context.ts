import { toLocalDateTime } from '#contracts/values/calendar.ts'
import { useQuery } from '@tanstack/react-query'
import { practiceQuery } from '#web/entities/practices/practice-query.ts'
import { useHasPermission } from '#web/entities/accounts/current-user.ts'
import { providersQuery } from '#web/entities/providers/providers.ts'
import type { SchedulingContext } from './scheduling-context.ts'
import { useNow } from '#web/ui/use-now.ts'

/** Loads the scheduling context of a practice; null while it is loading. */
export function useSchedulingContext(practiceId: string): {
  context: SchedulingContext | null
  error: Error | null
  retry: () => void
} {
  const practice = useQuery(practiceQuery(practiceId))
  const providers = useQuery(providersQuery)
  const canAddProvider = useHasPermission('settings')
  const now = useNow(15_000)
  const retry = () => {
    if (practice.error) void practice.refetch()
    if (providers.error) void providers.refetch()
  }
  if (!practice.data || !providers.data) return { context: null, error: practice.error ?? providers.error, retry }
  const { date, time } = toLocalDateTime(now, practice.data.timezone)
  return {
    context: {
      practiceName: practice.data.name,
      timeZone: practice.data.timezone,
      today: date,
      time,
      now,
      activeProviders: providers.data.filter(({ active }) => active),
      allProviders: providers.data,
      canAddProvider,
    },
    error: null,
    retry,
  }
}
