import { Outlet } from '@tanstack/react-router'
import { useCurrentUser } from './current-user.ts'
import { Shell } from './shell.tsx'

/** Every screen for signed-in people, in its frame. Nothing at all in the moment of signing out. */
export function SignedIn() {
  const user = useCurrentUser()
  return (
    user && (
      <Shell user={user}>
        <Outlet />
      </Shell>
    )
  )
}
