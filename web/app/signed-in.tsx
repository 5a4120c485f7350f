import { Outlet } from '@tanstack/react-router'
import { useCurrentUser } from './current-user.ts'
import { useLiveChanges } from './live-changes.ts'
import { Shell } from './shell.tsx'

/** Every screen for signed-in people, in its frame. Nothing at all in the moment of signing out. */
export function SignedIn() {
  const user = useCurrentUser()
  useLiveChanges(Boolean(user?.practiceId))
  return (
    user && (
      <Shell user={user}>
        <Outlet />
      </Shell>
    )
  )
}
