import { createRoute, Outlet, redirect } from '@tanstack/react-router'
import { currentUserQuery, useCurrentUser } from './current-user.ts'
import { LoadingScreen } from './loading-screen.tsx'
import { rootRoute } from './root-route.tsx'
import { ScreenFailed } from './screen-failed.tsx'
import { Shell } from './shell.tsx'

/** Parent of every screen for signed-in people. Whoever is signed out is led to the sign-in screen and back. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  beforeLoad: async ({ context: { queries }, location }) => {
    const user = await queries.ensureQueryData(currentUserQuery)
    if (!user) throw redirect({ to: '/auth', search: { redirect: location.href } })
  },
  component: SignedIn,
  pendingComponent: LoadingScreen,
  errorComponent: ScreenFailed,
})

function SignedIn() {
  const user = useCurrentUser()
  return (
    user && (
      <Shell user={user}>
        <Outlet />
      </Shell>
    )
  )
}
