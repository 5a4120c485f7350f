import { Button, makeStyles, tokens } from '@fluentui/react-components'
import { type ReactNode, useEffect, useRef } from 'react'
import { DialogFrame } from './dialog-frame.tsx'

const useStyles = makeStyles({
  content: { display: 'grid', rowGap: '8px', overflowWrap: 'anywhere' },
  danger: {
    backgroundColor: tokens.colorStatusDangerBackground3,
    color: tokens.colorNeutralBackground1,
    ':hover': { backgroundColor: tokens.colorStatusDangerBackground3, color: tokens.colorNeutralBackground1 },
    ':hover:active': {
      backgroundColor: tokens.colorStatusDangerBackground3,
      color: tokens.colorNeutralBackground1,
    },
  },
})

type ConfirmDialogProps = {
  open: boolean
  title: string
  children: ReactNode
  /** Label of the confirming button; `pendingAction` is its label while `pending`. */
  action: string
  pendingAction?: string
  pending?: boolean
  cancel?: string
  /** False while the question is still incomplete: it cannot be confirmed yet. */
  isReady?: boolean
  danger?: boolean
  /** Error message of the last attempt. */
  failure?: string | null
  onConfirm: () => void
  onCancel: () => void
}

/** Confirmation before an action that is hard to undo. Escape and Cancel change nothing. */
export function ConfirmDialog({ open, ...question }: ConfirmDialogProps) {
  return open && <ConfirmDialogBody {...question} />
}

function ConfirmDialogBody({
  title,
  children,
  action,
  pendingAction = action,
  pending = false,
  cancel = 'Cancel',
  isReady = true,
  danger = false,
  failure = null,
  onConfirm,
  onCancel,
}: Omit<ConfirmDialogProps, 'open'>) {
  const styles = useStyles()
  const confirmed = useRef(false)
  useEffect(() => {
    if (!pending) confirmed.current = false
  })
  // A second Enter can arrive before the pending state is rendered and would run the action twice.
  const confirm = () => {
    if (!isReady || pending || confirmed.current) return
    confirmed.current = true
    onConfirm()
  }
  return (
    <DialogFrame
      title={title}
      modalType="alert"
      pending={pending}
      failure={failure}
      closeLabel={cancel}
      actions={
        <Button
          appearance="primary"
          className={danger ? styles.danger : undefined}
          disabledFocusable={pending || !isReady}
          onClick={confirm}
        >
          {pending ? pendingAction : action}
        </Button>
      }
      classNames={{ content: styles.content }}
      onClose={onCancel}
    >
      {children}
    </DialogFrame>
  )
}
