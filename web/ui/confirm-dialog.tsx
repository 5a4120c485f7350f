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
  /** What happens then, in a person's words. */
  children: ReactNode
  /** The verb on the button, and the same while it happens. */
  action: string
  pendingAction?: string
  pending?: boolean
  cancel?: string
  danger?: boolean
  /** Why it did not work, when it did not. */
  failure?: string | null
  onConfirm: () => void
  onCancel: () => void
}

/** Asks before something that is hard to take back. Escape and Cancel leave everything as it is. */
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
  // A second Enter can come before the button is drawn as busy, and would take back twice.
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
