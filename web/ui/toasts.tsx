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
import { createContext, type ReactNode, useCallback, useContext } from 'react'

/** One short message about what has just happened. */
export type Notification = { title: string; body?: string; intent?: 'success' | 'error' }

const useStyles = makeStyles({
  region: { '> .fui-Toaster': { position: 'fixed', zIndex: 1_000_001 } },
  toast: { overflowWrap: 'anywhere' },
  bad: {
    backgroundColor: tokens.colorStatusDangerBackground1,
    border: `1px solid ${tokens.colorStatusDangerBorder1}`,
    color: tokens.colorNeutralForeground1,
  },
})

const ToastContext = createContext<(notification: Notification) => void>(() => undefined)
const noop = () => undefined

/**
 * A toast has nothing in it to press, so Tab passes it by. Fluent would make it a stop that holds the keyboard for as long
 * as it stands there, and it stands there for as long as it has the focus.
 */
const skipInTabOrder = (toast: HTMLElement | null) =>
  toast?.closest('.fui-ToastContainer')?.setAttribute('tabindex', '-1')

/**
 * At most one at a time, for five seconds, top right (spec). The newest takes the place of what stands there. Each kind
 * has a region that was there before it, so that a screen reader reads it: failures at once, the rest when it is quiet.
 */
export function ToastProvider({ children }: { children: ReactNode }) {
  const styles = useStyles()
  const ids = { success: useId('said'), error: useId('failed') }
  const said = useToastController(ids.success)
  const failed = useToastController(ids.error)
  const { dispatchToast: say, dismissAllToasts: clearSaid } = said
  const { dispatchToast: warn, dismissAllToasts: clearFailed } = failed
  const notify = useCallback(
    ({ title, body, intent = 'success' }: Notification) => {
      clearSaid()
      clearFailed()
      const dispatch = intent === 'error' ? warn : say
      dispatch(
        <Toast ref={skipInTabOrder} className={mergeClasses(styles.toast, intent === 'error' && styles.bad)}>
          <ToastTitle>{title}</ToastTitle>
          {body && <ToastBody>{body}</ToastBody>}
        </Toast>,
        { intent },
      )
    },
    [say, warn, clearSaid, clearFailed, styles.toast, styles.bad],
  )
  return (
    <ToastContext value={notify}>
      {children}
      {(['success', 'error'] as const).map((intent) => (
        <div key={intent} className={styles.region} aria-live={intent === 'error' ? 'assertive' : 'polite'}>
          <Toaster
            toasterId={ids[intent]}
            position="top-end"
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

/** Says what has just happened. */
export const useNotify = () => useContext(ToastContext)
