import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { ApiProblem } from '#web/api/call.ts'
import { type LiveUpdateRule, useLiveUpdates } from '#web/api/live-updates.ts'
import { refreshCurrentUser, useCurrentUser } from '#web/entities/accounts/current-user.ts'
import { useIsScreenLocked } from '#web/api/screen-lock.ts'
import { appointmentLiveUpdates } from '#web/entities/appointments/appointment-keys.ts'
import { subscriptionLiveUpdates } from '#web/entities/billing/subscription.ts'
import { dashboardLiveUpdates } from '#web/entities/dashboard/dashboard-keys.ts'
import { formLiveUpdates } from '#web/entities/forms/form-keys.ts'
import { insightLiveUpdates } from '#web/entities/insights/insight-keys.ts'
import { notificationLiveUpdates } from '#web/entities/notifications/notification-keys.ts'
import { patientLiveUpdates } from '#web/entities/patients/patient-keys.ts'
import { practiceLiveUpdates } from '#web/entities/practices/practice-keys.ts'
import { providerLiveUpdates } from '#web/entities/providers/providers.ts'
import { recordLiveUpdates } from '#web/entities/records/record-keys.ts'
import { analyticsLiveUpdates } from '#web/features/analytics/analytics-keys.ts'
import { waitlistLiveUpdates } from '#web/features/appointments/waitlist/waitlist-keys.ts'
import { automationLiveUpdates } from '#web/features/automation/automation-keys.ts'
import { insuranceLiveUpdates } from '#web/features/insurance/insurance-keys.ts'
import { importLiveUpdates } from '#web/features/patients/import/import-keys.ts'
import { dataExportLiveUpdates } from '#web/features/settings/data-export/data-export-keys.ts'
import { profileLiveUpdates } from '#web/features/settings/profile/profile-keys.ts'
import { sampleDataLiveUpdates } from '#web/features/settings/sample-data/sample-data-api.ts'
import { teamLiveUpdates } from '#web/features/team/team-keys.ts'

/** Live-update rules of all entities and features. */
export const liveUpdateRules: readonly LiveUpdateRule[] = [
  appointmentLiveUpdates,
  analyticsLiveUpdates,
  dashboardLiveUpdates,
  patientLiveUpdates,
  sampleDataLiveUpdates,
  importLiveUpdates,
  providerLiveUpdates,
  waitlistLiveUpdates,
  practiceLiveUpdates,
  subscriptionLiveUpdates,
  notificationLiveUpdates,
  teamLiveUpdates,
  profileLiveUpdates,
  dataExportLiveUpdates,
  formLiveUpdates,
  insightLiveUpdates,
  insuranceLiveUpdates,
  automationLiveUpdates,
  recordLiveUpdates,
]

/** Subscribes to live updates while the current user belongs to a practice and this window is not locked. */
export function usePracticeLiveUpdates(): void {
  const isLocked = useIsScreenLocked()
  useLiveUpdates(Boolean(useCurrentUser()?.practiceId) && !isLocked, liveUpdateRules)
  useTwoFactorRefusals()
}

/** Fetches the user again when a query is refused because the practice requires two-factor sign-in since. */
function useTwoFactorRefusals(): void {
  const queries = useQueryClient()
  useEffect(
    () =>
      queries.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated' || event.action.type !== 'error') return
        const { error } = event.query.state
        if (error instanceof ApiProblem && error.code === 'two-factor-setup-required') void refreshCurrentUser(queries)
      }),
    [queries],
  )
}
