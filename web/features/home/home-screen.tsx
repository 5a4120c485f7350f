import { Navigate } from '@tanstack/react-router'
import { useCurrentUser } from '#web/app/current-user.ts'
import { Shell } from '#web/app/shell.tsx'
import { LandingPage } from './landing-page.tsx'
import { StartScreen } from './start-screen.tsx'

/** Signed out: what Everchart is. Signed in: the practice, or first its set-up (spec page 1, section 2). */
export function HomeScreen() {
  const user = useCurrentUser()
  if (!user) return <LandingPage />
  if (user.practiceId === null) return <Navigate to="/onboarding" replace />
  return (
    <Shell user={user}>
      <StartScreen user={user} />
    </Shell>
  )
}
