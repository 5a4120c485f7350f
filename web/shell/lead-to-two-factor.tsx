import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { LoadingScreen } from '#web/ui/loading-screen.tsx'

/** Leaves an open screen once the practice requires two-factor sign-in: the server refuses every other request until it is set up. */
export function LeadToTwoFactor() {
  const router = useRouter()
  useEffect(() => {
    const { href, pathname } = router.state.location
    // The location changes before the screen does, and the effect runs twice in development.
    if (pathname === '/two-factor') return
    void router.navigate({ to: '/two-factor', search: { redirect: href }, replace: true, ignoreBlocker: true })
  }, [router])
  return <LoadingScreen />
}
