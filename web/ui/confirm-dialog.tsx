import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  makeStyles,
  Text,
  tokens,
} from '@fluentui/react-components'
import { type ReactNode, useEffect, useRef } from 'react'
import { useFocusReturn } from './use-focus-return.ts'

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
  failed: { color: tokens.colorStatusDangerForeground1 },
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
  danger = false,
  failure = null,
  onConfirm,
  onCancel,
}: Omit<ConfirmDialogProps, 'open'>) {
  useFocusReturn()
  const styles = useStyles()
  const confirmed = useRef(false)
  useEffect(() => {
    if (!pending) confirmed.current = false
  })
  // A second Enter can arrive before the pending state is rendered and would run the action twice.
  const confirm = () => {
    if (pending || confirmed.current) return
    confirmed.current = true
    onConfirm()
  }
  return (
    <Dialog open modalType="alert" onOpenChange={(_, { open: next }) => !next && !pending && onCancel()}>
      <DialogSurface>
        <DialogBody>
          <DialogTitle>{title}</DialogTitle>
          <DialogContent className={styles.content}>
            {children}
            {failure && (
              <Text className={styles.failed} role="alert">
                {failure}
              </Text>
            )}
          </DialogContent>
          <DialogActions>
            <Button onClick={onCancel} disabledFocusable={pending}>
              {cancel}
            </Button>
            <Button
              appearance="primary"
              className={danger ? styles.danger : undefined}
              disabledFocusable={pending}
              onClick={confirm}
            >
              {pending ? pendingAction : action}
            </Button>
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  )
}
