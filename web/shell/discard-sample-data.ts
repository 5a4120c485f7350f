import type { QueryClient } from '@tanstack/react-query'
import type { CurrentUser } from '#contracts/accounts.ts'
import { showsSampleData } from '#contracts/values/tiers.ts'
import { currentUserQuery } from '#web/entities/accounts/current-user.ts'
import { appointmentKeys } from '#web/entities/appointments/appointment-keys.ts'
import { dashboardKeys } from '#web/entities/dashboard/dashboard-keys.ts'
import { patientKeys } from '#web/entities/patients/patient-keys.ts'

/** Figures and lists that contain sample records while these are shown. Open forms are not among them. */
const keysWithSamples = [
  dashboardKeys.all,
  patientKeys.lists,
  appointmentKeys.days,
  appointmentKeys.allBusyDays,
  appointmentKeys.today,
]

/**
 * Discards cached figures and lists when the plan of the practice opens: fetched again while the old ones are still shown,
 * the sample's would pass as the practice's own until the reply arrives. Refetches them when the last sample record is
 * removed, because those that were edited return. Returns the function that stops watching.
 */
export function discardSampleDataOnceHidden(queries: QueryClient): () => void {
  let before: CurrentUser | null = queries.getQueryData(currentUserQuery.queryKey) ?? null
  return queries.getQueryCache().subscribe(({ type, query }) => {
    if (type !== 'updated' || query.queryKey[0] !== currentUserQuery.queryKey[0]) return
    const user = (query.state.data as CurrentUser | null | undefined) ?? null
    const wasShown = before !== null && showsSampleData(before)
    const wasRemoving = before?.isRemovingSamples ?? false
    before = user
    if (user === null || showsSampleData(user)) return
    if (wasShown) for (const queryKey of keysWithSamples) void queries.resetQueries({ queryKey })
    else if (wasRemoving && !user.isRemovingSamples)
      for (const queryKey of keysWithSamples) void queries.invalidateQueries({ queryKey })
  })
}
