import { type LiveUpdateRule, useLiveUpdates } from '#web/api/live-updates.ts'
import { useCurrentUser } from '#web/entities/accounts/current-user.ts'
import { appointmentLiveUpdates } from '#web/entities/appointments/appointment-keys.ts'
import { subscriptionLiveUpdates } from '#web/entities/billing/subscription.ts'
import { dashboardLiveUpdates } from '#web/entities/dashboard/dashboard-keys.ts'
import { patientLiveUpdates } from '#web/entities/patients/patient-keys.ts'
import { practiceLiveUpdates } from '#web/entities/practices/practice-keys.ts'
import { providerLiveUpdates } from '#web/entities/providers/providers.ts'
import { waitlistLiveUpdates } from '#web/features/appointments/waitlist/waitlist-keys.ts'
import { importLiveUpdates } from '#web/features/patients/import/import-keys.ts'
import { sampleDataLiveUpdates } from '#web/features/settings/sample-data/sample-data-api.ts'

/** Live-update rules of all entities and features. */
export const liveUpdateRules: readonly LiveUpdateRule[] = [
  appointmentLiveUpdates,
  dashboardLiveUpdates,
  patientLiveUpdates,
  sampleDataLiveUpdates,
  importLiveUpdates,
  providerLiveUpdates,
  waitlistLiveUpdates,
  practiceLiveUpdates,
  subscriptionLiveUpdates,
]

/** Subscribes to live updates while the current user belongs to a practice. */
export function usePracticeLiveUpdates(): void {
  useLiveUpdates(Boolean(useCurrentUser()?.practiceId), liveUpdateRules)
}
