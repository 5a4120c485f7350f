import {
  makeStyles,
  mergeClasses,
  Toast,
  ToastBody,
  Toaster,
  ToastTitle,
  tokens,
  useId,
  useToastController,
} from '@fluentui/react-components'
import { createContext, type ReactNode, useCallback, useContext, useLayoutEffect, useRef } from 'react'
import { keepOffControls, toastMarginPx } from './toast-position.ts'

/** Short message about the result of an action. */
export type Notification = { title: string; body?: string; intent?: 'success' | 'error' }

const useStyles = makeStyles({
  region: {
    '> .fui-Toaster': {
      position: 'fixed',
      zIndex: 1_000_001,
      top: 'var(--toast-top) !important',
      right: 'var(--toast-right) !important',
    },
  },
  toast: { overflowWrap: 'anywhere' },
  error: {
    backgroundColor: tokens.colorStatusDangerBackground1,
    border: `1px solid ${tokens.colorStatusDangerBorder1}`,
    color: tokens.colorNeutralForeground1,
  },
})

const ToastContext = createContext<(notification: Notification) => void>(() => undefined)
const noop = () => undefined

/**
 * Places the toast around it. Also removes it from the tab order, as it contains no controls: Fluent would trap the keyboard
 * focus in it, and keep it open as long as it is focused.
 */
function ToastPlacement() {
  const inside = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    inside.current?.closest('.fui-ToastContainer')?.setAttribute('tabindex', '-1')
    const toaster = inside.current?.closest<HTMLElement>('.fui-Toaster')
    return toaster ? keepOffControls(toaster) : undefined
  }, [])
  return <span ref={inside} hidden />
}

/**
 * Shows at most one toast at a time, for five seconds, at the top right; a new one replaces the current one, and a click removes
 * it from what it covers on a phone. Success and error
 * each have a permanent live region, which screen readers require: errors are assertive, the rest polite.
 */
export function ToastProvider({ children }: { children: ReactNode }) {
  const styles = useStyles()
  const ids = { success: useId('success'), error: useId('error') }
  const { dispatchToast: showSuccess, dismissAllToasts: clearSuccess } = useToastController(ids.success)
  const { dispatchToast: showError, dismissAllToasts: clearError } = useToastController(ids.error)
  const notify = useCallback(
    ({ title, body, intent = 'success' }: Notification) => {
      const clear = () => {
        clearSuccess()
        clearError()
      }
      clear()
      const dispatch = intent === 'error' ? showError : showSuccess
      dispatch(
        <Toast className={mergeClasses(styles.toast, intent === 'error' && styles.error)} onClick={clear}>
          <ToastPlacement />
          <ToastTitle>{title}</ToastTitle>
          {body && <ToastBody>{body}</ToastBody>}
        </Toast>,
        { intent },
      )
    },
    [showSuccess, showError, clearSuccess, clearError, styles.toast, styles.error],
  )
  return (
    <ToastContext value={notify}>
      {children}
      {(['success', 'error'] as const).map((intent) => (
        <div key={intent} className={styles.region} aria-live={intent === 'error' ? 'assertive' : 'polite'}>
          <Toaster
            toasterId={ids[intent]}
            position="top-end"
            offset={{ horizontal: toastMarginPx }}
            timeout={5_000}
            limit={1}
            pauseOnHover
            inline
            announce={noop}
          />
        </div>
      ))}
    </ToastContext>
  )
}

/** Returns the function that shows a toast. */
export const useNotify = () => useContext(ToastContext)
