import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { defaultSessionTimeout } from '#contracts/values/session-timeout.ts'
import { announceToOtherWindows, listenToOtherWindows } from '#web/api/session-channel.ts'
import { trackUserActivity } from '#web/api/user-activity.ts'
import { currentUserQuery, refreshCurrentUser } from '#web/entities/accounts/current-user.ts'
import { endSession } from '#web/entities/accounts/end-session.ts'
import { loadLastInput, saveLastInput } from '#web/api/last-input.ts'
import { isScreenLocked, setScreenLocked, useIsScreenLocked } from '#web/api/screen-lock.ts'
import { getIdleState, type IdleState } from './idle-state.ts'
import { IdleWarning } from './idle-warning.tsx'
import { LockScreen } from './lock-screen.tsx'
import { takeSessionTurn } from './session-turn.ts'

const tickMs = 1_000
/** Other windows need no finer times. */
const announceIntervalMs = 5_000

/** Milliseconds until a sign-out that was not received is sent again. */
const retryMs = 5_000

/** Ends the session while the window is locked, however often it takes: until then, a reload would show the page again. */
async function endIdleSession(): Promise<void> {
  const end = async () => {
    if (isScreenLocked()) await endSession('idle')
  }
  await takeSessionTurn(end).catch(() => setTimeout(() => void endIdleSession(), retryMs))
}

type IdleTimerProps = {
  userId: string
  /** Epoch milliseconds at which the user was there, before this component had arrived. */
  since: number
  /** The user chose to sign out instead of staying, or of unlocking the window. */
  onSignOut: () => void
  /** Another window has signed out, or another user has signed in there. */
  onSignedOut: () => void
}

/**
 * Ends the session after a time without input in any window of this browser, and locks all of them; shows a warning before.
 * Unlocking one unlocks the others.
 */
export function IdleTimer({ userId, since, onSignOut, onSignedOut }: IdleTimerProps) {
  const queries = useQueryClient()
  const user = queries.getQueryData(currentUserQuery.queryKey)
  const [state, setState] = useState<IdleState>({ kind: 'active' })
  const isLocked = useIsScreenLocked()
  const stay = useRef(() => undefined as void)
  const signedOut = useEffectEvent(onSignedOut)

  useEffect(() => {
    let announcedAt = 0
    let scrollTop = 0
    const lock = () => {
      if (!isScreenLocked()) scrollTop = scrollY
      setScreenLocked(true)
    }
    const unlock = () => {
      if (!isScreenLocked()) return
      setScreenLocked(false)
      // A hidden page has no height.
      scrollTo({ top: scrollTop, behavior: 'instant' })
      void queries.invalidateQueries()
    }
    const getState = () => {
      const now = Date.now()
      // Read each time: the practice may change it while this window is open.
      const timeout = queries.getQueryData(currentUserQuery.queryKey)?.sessionTimeout ?? defaultSessionTimeout
      const state = getIdleState(activity.lastInputAt, now, timeout)
      if (state.kind === 'active') return state
      // A window that was suspended has not received the messages of the others yet.
      activity.lastInputAt = Math.max(activity.lastInputAt, loadLastInput(now))
      return getIdleState(activity.lastInputAt, now, timeout)
    }
    const update = () => {
      if (isScreenLocked()) return
      const next = getState()
      setState((before) => (before.kind === 'active' && next.kind === 'active' ? before : next))
      if (next.kind !== 'expired') return
      // First of all, nothing of a patient stays on the screen, also when the network is gone.
      lock()
      void endIdleSession()
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
      () => isScreenLocked() || getState().kind !== 'active',
      since,
    )
    // Signing in counts as input; the pages of the public site know by it that a user is signed in here.
    if (loadLastInput(Date.now()) === 0) saveLastInput(activity.lastInputAt)
    stay.current = () => {
      activity.lastInputAt = Date.now()
      announce()
      unlock()
      update()
      report()
    }
    const stopListening = listenToOtherWindows((message) => {
      if (message.kind === 'input') {
        activity.lastInputAt = Math.max(activity.lastInputAt, message.at)
        update()
      } else if (message.kind === 'signed-out' && message.reason === 'idle') lock()
      // This window would show one user's data and save as the other one.
      else if (message.kind === 'signed-out' || message.userId !== userId) signedOut()
      // What is on the page belongs to the practice that the user has left.
      else if (message.practiceId !== queries.getQueryData(currentUserQuery.queryKey)?.practiceId) location.reload()
      else if (isScreenLocked()) stay.current()
    })
    const timer = setInterval(update, tickMs)
    // Timers stop while a computer sleeps.
    document.addEventListener('visibilitychange', update)
    return () => {
      stop()
      stopListening()
      clearInterval(timer)
      document.removeEventListener('visibilitychange', update)
      setScreenLocked(false)
    }
  }, [queries, userId, since])

  if (isLocked && user) return <LockScreen user={user} onUnlocked={() => stay.current()} onSignOut={onSignOut} />
  if (state.kind !== 'warning') return null
  return <IdleWarning secondsLeft={state.secondsLeft} onStay={() => stay.current()} onSignOut={onSignOut} />
}
