import { useCurrentUser } from '#web/app/current-user.ts'
import { useLiveChanges } from '#web/app/live-changes.ts'
import { Shell } from '#web/app/shell.tsx'
import { DashboardScreen } from './dashboard-screen.tsx'
import { LandingPage } from './landing-page.tsx'

/** Signed out: what Everchart is. Signed in: the practice (its set-up comes first, see route.tsx). */
export function HomeScreen() {
  const user = useCurrentUser()
  useLiveChanges(Boolean(user?.practiceId))
  if (!user) return <LandingPage />
  return (
    <Shell user={user}>
      <DashboardScreen />
    </Shell>
  )
}
