import { Toast, ToastBody, Toaster, ToastTitle, useId, useToastController } from '@fluentui/react-components'
import { createContext, type ReactNode, useCallback, useContext } from 'react'

/** One short message about what has just happened. */
export type Notification = { title: string; body?: string; intent?: 'success' | 'error' }

const ToastContext = createContext<(notification: Notification) => void>(() => undefined)

/** At most one at a time, for five seconds, top right; failures are announced at once to screen readers (spec). */
export function Toasts({ children }: { children: ReactNode }) {
  const toasterId = useId('toaster')
  const { dispatchToast } = useToastController(toasterId)
  const notify = useCallback(
    ({ title, body, intent = 'success' }: Notification) =>
      dispatchToast(
        <Toast>
          <ToastTitle>{title}</ToastTitle>
          {body && <ToastBody>{body}</ToastBody>}
        </Toast>,
        { intent, politeness: intent === 'error' ? 'assertive' : 'polite' },
      ),
    [dispatchToast],
  )
  return (
    <ToastContext value={notify}>
      {children}
      <Toaster toasterId={toasterId} position="top-end" timeout={5_000} limit={1} pauseOnHover />
    </ToastContext>
  )
}

/** Says what has just happened. */
export const useNotify = () => useContext(ToastContext)
