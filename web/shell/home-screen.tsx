import { useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useCurrentUser } from '#web/entities/accounts/current-user.ts'
import { LoadingScreen } from '#web/ui/loading-screen.tsx'
import { usePracticeLiveUpdates } from './live-updates.ts'
import { Shell } from './shell.tsx'
import { DashboardScreen } from '#web/features/dashboard/dashboard-screen.tsx'
import { LandingPage } from '#web/features/landing/landing-page.tsx'

// Shown once per practice, so not part of the first load.
const CheckoutReturn = lazy(() =>
  import('#web/features/billing/checkout/checkout-return.tsx').then(({ CheckoutReturn: it }) => ({ default: it })),
)

/** Landing page when signed out, dashboard when signed in. `homeRoute` redirects to the setup wizard first. */
export function HomeScreen() {
  const user = useCurrentUser()
  const { subscription } = useSearch({ from: '/' })
  usePracticeLiveUpdates()
  if (!user) return <LandingPage />
  return (
    <Shell user={user}>
      {subscription === 'success' ? (
        <Suspense fallback={<LoadingScreen />}>
          <CheckoutReturn />
        </Suspense>
      ) : (
        <DashboardScreen />
      )}
    </Shell>
  )
}
