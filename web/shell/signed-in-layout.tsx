import { Outlet } from '@tanstack/react-router'
import { useCurrentUser } from '#web/entities/accounts/current-user.ts'
import { useLiveUpdates } from '#web/api/live-updates.ts'
import { Shell } from './shell.tsx'

/** Layout of every screen for signed-in users. Renders nothing in the moment of signing out. */
export function SignedInLayout() {
  const user = useCurrentUser()
  useLiveUpdates(Boolean(user?.practiceId))
  return (
    user && (
      <Shell user={user}>
        <Outlet />
      </Shell>
    )
  )
}
