import { notifyManager, useQueryClient } from '@tanstack/react-query'
import { Outlet, useRouter } from '@tanstack/react-router'
import { type ComponentProps, startTransition, useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { currentUserQuery } from '#web/entities/accounts/current-user.ts'
import { endSession, forgetUser } from '#web/entities/accounts/end-session.ts'
import { LoadingScreen } from '#web/ui/loading-screen.tsx'
import { useIsPainted } from '#web/ui/use-is-painted.ts'
import type { IdleTimer } from './idle-timer.tsx'

/** Milliseconds until a failed download is tried again. */
const reloadMs = 5_000

/**
 * Root of all screens. Locks them after a time without input in any window of this browser. When another window has signed out
 * or signed in another user, the screen goes blank, cached data is cleared, and signing in leads back.
 */
export function SessionGuard() {
  const userId = useCachedUserId()
  const [isLeaving, setIsLeaving] = useState(false)
  const queries = useQueryClient()
  const router = useRouter()

  const leave = async () => {
    // First of all, nothing of a patient stays on the screen, also when the network is gone.
    setIsLeaving(true)
    const { href } = router.state.location
    await forgetUser(queries, () => router.navigate({ to: '/auth', search: { redirect: href }, ignoreBlocker: true }))
    setIsLeaving(false)
  }
  const signOut = async () => {
    // The session ends by itself on the server if it cannot be reached now.
    const ended = endSession().catch(() => undefined)
    await Promise.all([leave(), ended])
  }
  if (isLeaving) return <LoadingScreen />
  return (
    <>
      <Outlet />
      {userId !== undefined && (
        <LoadedIdleTimer
          key={userId}
          userId={userId}
          onSignOut={() => void signOut()}
          onSignedOut={() => void leave()}
        />
      )}
    </>
  )
}

/**
 * Returns the id of the cached user, also after the cache was cleared: an observer of the query would stay with the removed
 * one.
 */
function useCachedUserId(): string | undefined {
  const queries = useQueryClient()
  const subscribe = useCallback(
    (onChange: () => void) => queries.getQueryCache().subscribe(notifyManager.batchCalls(onChange)),
    [queries],
  )
  return useSyncExternalStore(subscribe, () => queries.getQueryData(currentUserQuery.queryKey)?.id)
}

/** The timer, loaded after the first screen was painted and before it is needed: then, the network may be gone. */
function LoadedIdleTimer(props: Omit<ComponentProps<typeof IdleTimer>, 'since'>) {
  const [since] = useState(() => Date.now())
  const isPainted = useIsPainted()
  const [Timer, setTimer] = useState<typeof IdleTimer | null>(null)
  useEffect(() => {
    let retry: ReturnType<typeof setTimeout> | undefined
    const load = () =>
      void import('./idle-timer.tsx').then(
        (loaded) => startTransition(() => setTimer(() => loaded.IdleTimer)),
        () => {
          retry = setTimeout(load, reloadMs)
        },
      )
    if (isPainted) load()
    return () => clearTimeout(retry)
  }, [isPainted])
  return Timer && <Timer {...props} since={since} />
}
