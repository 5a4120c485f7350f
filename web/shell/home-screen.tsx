import { useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useCurrentUser } from '#web/entities/accounts/current-user.ts'
import { LoadingScreen } from '#web/ui/loading-screen.tsx'
import { usePracticeLiveUpdates } from './live-updates.ts'
import { LeadToTwoFactor } from './lead-to-two-factor.tsx'
import { Shell } from './shell.tsx'
import { DashboardScreen } from '#web/features/dashboard/dashboard-screen.tsx'

// Shown once per practice, so not part of the first load.
const CheckoutReturn = lazy(() =>
  import('#web/features/billing/checkout/checkout-return.tsx').then(({ CheckoutReturn: it }) => ({ default: it })),
)

/** Dashboard of a signed-in user. `homeRoute` leads others away, and redirects to the setup wizard first. */
export function HomeScreen() {
  const user = useCurrentUser()
  const { subscription } = useSearch({ from: '/' })
  usePracticeLiveUpdates()
  if (!user) return <LoadingScreen />
  if (user.mustSetUpTwoFactor) return <LeadToTwoFactor />
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
