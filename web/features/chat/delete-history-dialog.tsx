import { errorMessage } from '#web/api/call.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { useDeleteHistory } from './api.ts'

/** Asks before the history is deleted. */
export function DeleteHistoryDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { mutate, isPending, error } = useDeleteHistory()
  return (
    <ConfirmDialog
      open={open}
      title="Delete history?"
      action="Delete history"
      pendingAction="Deleting..."
      danger
      pending={isPending}
      failure={error && errorMessage(error)}
      onConfirm={() => mutate(undefined, { onSuccess: onClose })}
      onCancel={onClose}
    >
      All your messages with the assistant in this practice are deleted. This cannot be undone.
    </ConfirmDialog>
  )
}
