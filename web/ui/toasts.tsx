import { makeStyles } from '@fluentui/react-components'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from 'react'
import { createLate } from './late.tsx'
import type { Notification, ToastControls } from './notification.ts'
import { onceIdle } from './use-is-painted.ts'

type Intent = NonNullable<Notification['intent']>

// Nothing is announced by the first screen before it is there.
const ToastRegion = createLate(() => import('./toast-region.tsx').then(({ ToastRegion: it }) => it))

const useStyles = makeStyles({
  region: {
    '> .fui-Toaster': {
      position: 'fixed',
      zIndex: 1_000_001,
      top: 'var(--toast-top) !important',
      right: 'var(--toast-right) !important',
    },
  },
})

const ToastContext = createContext<(notification: Notification) => void>(() => undefined)

const intents = ['success', 'error'] as const

/**
 * Shows at most one toast at a time, for five seconds, at the top right; a new one replaces the current one, and a click removes
 * it from what it covers on a phone. Success and error
 * each have a permanent live region, which screen readers require: errors are assertive, the rest polite.
 */
export function ToastProvider({ children }: { children: ReactNode }) {
  const styles = useStyles()
  const [isNeeded, setNeeded] = useState(false)
  const regions = useRef(new Map<Intent, ToastControls>())
  /** The last message that came before its region. */
  const waiting = useRef<Notification | null>(null)
  useEffect(() => onceIdle(() => setNeeded(true)), [])

  const notify = useCallback((notification: Notification) => {
    const clear = () => {
      for (const region of regions.current.values()) region.clear()
    }
    clear()
    const region = regions.current.get(notification.intent ?? 'success')
    waiting.current = region ? null : notification
    if (region) region.show(notification, clear)
    else setNeeded(true)
  }, [])
  const addRegion = useCallback(
    (intent: Intent, controls: ToastControls) => {
      regions.current.set(intent, controls)
      if (waiting.current && (waiting.current.intent ?? 'success') === intent) notify(waiting.current)
    },
    [notify],
  )
  return (
    <ToastContext value={notify}>
      {children}
      {intents.map((intent) => (
        <div key={intent} className={styles.region} aria-live={intent === 'error' ? 'assertive' : 'polite'}>
          {isNeeded && <ToastRegion intent={intent} onReady={addRegion} />}
        </div>
      ))}
    </ToastContext>
  )
}

/** Returns the function that shows a toast. */
export const useNotify = () => useContext(ToastContext)
