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
import { useEffect, useLayoutEffect, useRef } from 'react'
import type { Notification, ToastControls } from './notification.ts'
import { keepOffControls, toastMarginPx } from './toast-position.ts'

const useStyles = makeStyles({
  toast: { overflowWrap: 'anywhere' },
  error: {
    backgroundColor: tokens.colorStatusDangerBackground1,
    border: `1px solid ${tokens.colorStatusDangerBorder1}`,
    color: tokens.colorNeutralForeground1,
  },
})

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

type Intent = NonNullable<Notification['intent']>
type ToastRegionProps = { intent: Intent; onReady: (intent: Intent, controls: ToastControls) => void }

/** The toasts of one live region. Hands over the functions that show and remove them. */
export function ToastRegion({ intent, onReady }: ToastRegionProps) {
  const styles = useStyles()
  const id = useId(intent)
  const { dispatchToast, dismissAllToasts } = useToastController(id)
  const className = mergeClasses(styles.toast, intent === 'error' && styles.error)
  // After the effects of the toaster, which listens from then on.
  useEffect(() => {
    onReady(intent, {
      show({ title, body }, onClick) {
        dispatchToast(
          <Toast className={className} onClick={onClick}>
            <ToastPlacement />
            <ToastTitle>{title}</ToastTitle>
            {body && <ToastBody>{body}</ToastBody>}
          </Toast>,
          { intent },
        )
      },
      clear: dismissAllToasts,
    })
  }, [intent, onReady, dispatchToast, dismissAllToasts, className])
  return (
    <Toaster
      toasterId={id}
      position="top-end"
      offset={{ horizontal: toastMarginPx }}
      timeout={5_000}
      limit={1}
      pauseOnHover
      inline
      announce={noop}
    />
  )
}
