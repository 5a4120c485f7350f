import { Button, makeStyles, Text } from '@fluentui/react-components'
import { useBlocker } from '@tanstack/react-router'
import { type ReactNode, type SyntheticEvent, useRef, useState } from 'react'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { DialogFrame } from '#web/ui/dialog-frame.tsx'
import { useSubmitOnce } from './use-submit-once.ts'
import { SignedOutNotice } from './signed-out-notice.tsx'

const useStyles = makeStyles({
  surface: {
    maxWidth: '720px',
    width: 'calc(100vw - 48px)',
    '@media (max-width: 639px)': {
      width: '100%',
      maxWidth: '100%',
      maxHeight: '100dvh',
      padding: '16px',
      borderRadius: 0,
    },
  },
  body: {
    maxHeight: 'calc(100dvh - 96px)',
    '@media (max-width: 639px)': { maxHeight: 'calc(100dvh - 32px)', height: 'calc(100dvh - 32px)' },
  },
  content: { padding: '2px 4px', margin: '0 -4px', minHeight: '160px' },
})

type FormDialogProps = {
  title: string
  action: string
  pendingAction: string
  pending: boolean
  /** False disables the button while the form is incomplete; by default it is enabled, and submitting shows what is missing. */
  isReady?: boolean
  /** The form has unsaved input. */
  dirty: boolean
  /** The last submission failed because the session has expired. */
  signedOut?: boolean
  onSubmit: (event: SyntheticEvent) => void | Promise<void>
  onClose: () => void
  children: ReactNode
}

/**
 * Form in a dialog. Enter submits, Escape closes; leaving with unsaved input, in any way, asks for confirmation. Mounted
 * while it is open.
 */
export function FormDialog({
  title,
  action,
  pendingAction,
  pending,
  isReady = true,
  dirty,
  signedOut = false,
  onSubmit,
  onClose,
  children,
}: FormDialogProps) {
  const styles = useStyles()
  const submit = useSubmitOnce(onSubmit)
  const [isConfirming, setIsConfirming] = useState(false)
  const isLeaving = useRef(false)
  const blocker = useBlocker({
    shouldBlockFn({ current, next }) {
      // A screen whose address names the dialog drops it there in the moment in which the input was saved.
      const isSaved = pending && current.pathname === next.pathname
      return dirty && !isLeaving.current && !isSaved
    },
    enableBeforeUnload: () => dirty,
    withResolver: true,
  })
  const close = () => {
    if (pending) return
    if (dirty) setIsConfirming(true)
    else onClose()
  }
  const stay = () => {
    setIsConfirming(false)
    blocker.reset?.()
  }
  const leave = () => {
    isLeaving.current = true
    if (blocker.status === 'blocked') blocker.proceed()
    onClose()
  }
  return (
    <DialogFrame
      title={title}
      pending={pending}
      closeLabel="Cancel"
      actions={
        <Button type="submit" appearance="primary" disabled={!isReady} disabledFocusable={pending}>
          {pending ? pendingAction : action}
        </Button>
      }
      notice={signedOut && !pending && <SignedOutNotice />}
      classNames={styles}
      onSubmit={submit}
      onClose={close}
    >
      {children}
      <ConfirmDialog
        open={isConfirming || blocker.status === 'blocked'}
        title="Discard your changes?"
        action="Discard"
        cancel="Keep editing"
        danger
        onConfirm={leave}
        onCancel={stay}
      >
        <Text>You have unsaved changes.</Text>
      </ConfirmDialog>
    </DialogFrame>
  )
}
