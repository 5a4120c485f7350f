import { queryOptions } from '@tanstack/react-query'
import { listInsights } from '#contracts/insights.ts'
import { call } from '#web/api/call.ts'
import { insightKeys } from './insight-keys.ts'

/** Query for the open insights about the practice, fresh for five minutes (spec page 1, section 7). */
export const insightsQuery = queryOptions({
  queryKey: insightKeys.list,
  queryFn: ({ signal }) => call(listInsights, {}, signal),
  retry: false,
  staleTime: 5 * 60_000,
})
