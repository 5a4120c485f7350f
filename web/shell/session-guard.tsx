import { notifyManager, useQueryClient } from '@tanstack/react-query'
import { Outlet, useRouter } from '@tanstack/react-router'
import {
  type ComponentType,
  useCallback,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { idleMinutes } from '#contracts/accounts.ts'
import { announceToOtherWindows, listenToOtherWindows } from '#web/api/session-channel.ts'
import { trackUserActivity } from '#web/api/user-activity.ts'
import { currentUserQuery, refreshCurrentUser } from '#web/entities/accounts/current-user.ts'
import { endSession, forgetUser } from '#web/entities/accounts/end-session.ts'
import { loadLastInput, saveLastInput } from '#web/entities/accounts/last-input.ts'
import { LoadingScreen } from '#web/ui/loading-screen.tsx'
import { getIdleState, type IdleState } from './idle-state.ts'

const loadWarning = () => import('./idle-warning.tsx').then(({ IdleWarning }) => IdleWarning)
type Warning = Awaited<ReturnType<typeof loadWarning>>

const tickMs = 1_000
/** Other windows need no finer times. */
const announceIntervalMs = 5_000

/**
 * Root of all screens. Signs the user out after a time without input in any window of this browser, with a warning before,
 * and when another window has signed out or signed in another user: the screen goes blank, cached data is cleared, and signing in leads back.
 */
export function SessionGuard() {
  const userId = useCachedUserId()
  const [isLeaving, setIsLeaving] = useState(false)
  const queries = useQueryClient()
  const router = useRouter()

  const leave = async (reason: Reason) => {
    // First of all, nothing of a patient stays on the screen, also when the network is gone.
    setIsLeaving(true)
    const { href } = router.state.location
    await forgetUser(queries, () =>
      router.navigate({ to: '/auth', search: { redirect: href, reason }, ignoreBlocker: true }),
    )
    setIsLeaving(false)
  }
  const signOut = async (reason: Reason) => {
    // The session ends by itself on the server if it cannot be reached now.
    const ended = endSession(reason).catch(() => undefined)
    await Promise.all([leave(reason), ended])
  }
  if (isLeaving) return <LoadingScreen />
  return (
    <>
      <Outlet />
      {userId !== undefined && (
        <IdleTimer
          key={userId}
          userId={userId}
          onSignOut={(reason) => void signOut(reason)}
          onSignedOut={(reason) => void leave(reason)}
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

type Reason = 'idle' | undefined
type IdleTimerProps = {
  userId: string
  /** The time without input is over (`idle`), or the user chose to sign out instead of staying. */
  onSignOut: (reason: Reason) => void
  /** Another window has signed out, or another user has signed in there. */
  onSignedOut: (reason: Reason) => void
}

/** Shows the warning, and reports when the session is over. */
function IdleTimer({ userId, onSignOut, onSignedOut }: IdleTimerProps) {
  const queries = useQueryClient()
  const [state, setState] = useState<IdleState>({ kind: 'active' })
  // Loaded in advance: when it is needed, the network may be gone.
  const [WarningDialog, setWarningDialog] = useState<ComponentType<Parameters<Warning>[0]> | null>(null)
  const stay = useRef(() => undefined as void)
  const signOut = useEffectEvent(onSignOut)
  const signedOut = useEffectEvent(onSignedOut)

  useEffect(() => {
    loadWarning().then(
      (loaded) => setWarningDialog(() => loaded),
      () => undefined,
    )
  }, [])

  useEffect(() => {
    let isOver = false
    let announcedAt = 0
    const getState = () => {
      const now = Date.now()
      const state = getIdleState(activity.lastInputAt, now, idleMinutes)
      if (state.kind === 'active') return state
      // A window that was suspended has not received the messages of the others yet.
      activity.lastInputAt = Math.max(activity.lastInputAt, loadLastInput(now))
      return getIdleState(activity.lastInputAt, now, idleMinutes)
    }
    const update = () => {
      if (isOver) return
      const next = getState()
      setState((before) => (before.kind === 'active' && next.kind === 'active' ? before : next))
      if (next.kind !== 'expired') return
      isOver = true
      signOut('idle')
    }
    const report = () => void refreshCurrentUser(queries)
    const announce = () => {
      announcedAt = activity.lastInputAt
      saveLastInput(announcedAt)
      announceToOtherWindows({ kind: 'input', at: announcedAt })
    }
    const { activity, stop } = trackUserActivity(
      (isDue) => {
        if (isDue) report()
        if (activity.lastInputAt - announcedAt > announceIntervalMs) announce()
      },
      // While the warning is shown, only its button counts.
      () => getState().kind !== 'active',
    )
    stay.current = () => {
      activity.lastInputAt = Date.now()
      report()
      announce()
      update()
    }
    const stopListening = listenToOtherWindows((message) => {
      if (message.kind === 'signed-out') {
        isOver = true
        signedOut(message.reason)
      } else if (message.kind === 'signed-in') {
        // This window would show one user's data and save as the other one.
        if (message.userId === userId) return
        isOver = true
        signedOut(undefined)
      } else {
        activity.lastInputAt = Math.max(activity.lastInputAt, message.at)
        update()
      }
    })
    const timer = setInterval(update, tickMs)
    // Timers stop while a computer sleeps.
    document.addEventListener('visibilitychange', update)
    return () => {
      stop()
      stopListening()
      clearInterval(timer)
      document.removeEventListener('visibilitychange', update)
    }
  }, [queries, userId])

  if (state.kind !== 'warning' || !WarningDialog) return null
  return (
    <WarningDialog
      secondsLeft={state.secondsLeft}
      onStay={() => stay.current()}
      onSignOut={() => onSignOut(undefined)}
    />
  )
}
