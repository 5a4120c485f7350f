import type { CurrentUser } from '#contracts/accounts.ts'
import { showsSampleData } from '#contracts/values/tiers.ts'
import { SampleBell } from '#web/entities/notifications/sample-bell.tsx'
import { NotificationBell } from '#web/features/notifications/notification-bell.tsx'

/** Notifications of the current user; those of the sample practice in the demo. */
export function Bell({ user }: { user: CurrentUser }) {
  return showsSampleData(user) ? <SampleBell /> : <NotificationBell />
}
