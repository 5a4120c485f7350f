import { Button } from '@fluentui/react-components'
import { CalendarQuestionMarkRegular } from '@fluentui/react-icons/svg/calendar-question-mark'
import { useQuery } from '@tanstack/react-query'
import { ApiProblem, errorMessage } from '#web/api/call.ts'
import { DetailsDrawer, DetailsSkeleton, useLastShown } from '#web/ui/details-drawer.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { confirmationQuery, useResend } from '../api.ts'
import { ConfirmationRecord } from './confirmation-record.tsx'
import { isResendable } from './labels.ts'

type ConfirmationDetailsDrawerProps = {
  /** The drawer is closed without it. */
  confirmationId: string | undefined
  onClose: () => void
}

/** Drawer with one confirmation over the list. */
export function ConfirmationDetailsDrawer({ confirmationId, onClose }: ConfirmationDetailsDrawerProps) {
  const shownId = useLastShown(confirmationId)
  const { data, error, refetch } = useQuery({
    ...confirmationQuery(shownId ?? ''),
    enabled: Boolean(confirmationId),
  })
  const { resend, resendingId } = useResend()
  const confirmation = error ? undefined : data
  return (
    <DetailsDrawer
      isOpen={Boolean(confirmationId)}
      onClose={onClose}
      label="Confirmation Details"
      bodyLabel={confirmation?.patientName ?? 'Confirmation'}
      actions={
        confirmation && isResendable(confirmation) ? (
          <Button
            appearance="primary"
            disabledFocusable={resendingId === confirmation.id}
            onClick={() => resend(confirmation)}
          >
            Resend
          </Button>
        ) : null
      }
    >
      {confirmation && <ConfirmationRecord confirmation={confirmation} />}
      {error && <ConfirmationError error={error} onRetry={() => void refetch()} />}
      {!confirmation && !error && <DetailsSkeleton label="Loading the confirmation" />}
    </DetailsDrawer>
  )
}

/** Explains why a confirmation cannot be shown: it does not exist, or it could not be loaded. */
function ConfirmationError({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (error instanceof ApiProblem && [404, 422].includes(error.status))
    return (
      <EmptyState
        icon={CalendarQuestionMarkRegular}
        title="Confirmation not found"
        hint="Its appointment may have been cancelled or moved, or the link may be incomplete."
      />
    )
  return <ErrorState title="Failed to fetch confirmation" hint={errorMessage(error)} onRetry={onRetry} />
}
