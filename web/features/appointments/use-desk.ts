import { useQuery } from '@tanstack/react-query'
import { practiceQuery } from '#web/app/current-practice.ts'
import { useMay } from '#web/app/current-user.ts'
import { providersQuery } from '#web/app/providers.ts'
import { localIn } from './clock.ts'
import type { Desk } from './desk.ts'
import { useNow } from './use-now.ts'

/** The practice as this screen needs it; null while it is on its way. */
export function useDesk(practiceId: string): { desk: Desk | null; error: Error | null; retry: () => void } {
  const practice = useQuery(practiceQuery(practiceId))
  const providers = useQuery(providersQuery)
  const mayAddProvider = useMay('settings')
  const now = useNow()
  const retry = () => {
    if (practice.error) void practice.refetch()
    if (providers.error) void providers.refetch()
  }
  if (!practice.data || !providers.data) return { desk: null, error: practice.error ?? providers.error, retry }
  const { date, time } = localIn(practice.data.timezone, now)
  return {
    desk: {
      practiceName: practice.data.name,
      zone: practice.data.timezone,
      today: date,
      time,
      now,
      providers: providers.data.filter(({ active }) => active),
      everybody: providers.data,
      mayAddProvider,
    },
    error: null,
    retry,
  }
}
