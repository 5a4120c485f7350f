import { Outlet } from '@tanstack/react-router'
import { useCurrentUser } from '#web/entities/accounts/current-user.ts'
import { usePracticeLiveUpdates } from './live-updates.ts'
import { LeadToTwoFactor } from './lead-to-two-factor.tsx'
import { Shell } from './shell.tsx'

/** Layout of every screen for signed-in users. Renders nothing in the moment of signing out. */
export function SignedInLayout() {
  const user = useCurrentUser()
  usePracticeLiveUpdates()
  if (user?.mustSetUpTwoFactor) return <LeadToTwoFactor />
  return (
    user && (
      <Shell user={user}>
        <Outlet />
      </Shell>
    )
  )
}
