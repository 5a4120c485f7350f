import { queryOptions } from '@tanstack/react-query'
import { dashboardStats } from '#contracts/dashboard.ts'
import { call } from '#web/api/call.ts'

/** The four figures of the practice, with what they are compared with. Colleagues work too, so each appointment asks anew. */
export const dashboardStatsQuery = queryOptions({
  queryKey: ['dashboard', 'stats'],
  queryFn: ({ signal }) => call(dashboardStats, {}, signal),
  staleTime: 0,
})
