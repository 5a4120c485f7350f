import { queryOptions } from '@tanstack/react-query'
import { dashboardStats } from '#contracts/dashboard.ts'
import { call } from '#web/api/call.ts'
import { renderingMs } from '#web/api/early-replies.ts'
import { dashboardKeys } from './dashboard-keys.ts'

/** Query for the four figures of the practice and their comparison values; refetched whenever the dashboard opens. */
export const dashboardStatsQuery = queryOptions({
  queryKey: dashboardKeys.stats,
  queryFn: ({ signal }) => call(dashboardStats, {}, signal),
  staleTime: renderingMs,
})
