import {
  Button,
  DrawerBody,
  DrawerFooter,
  DrawerHeader,
  DrawerHeaderTitle,
  makeStyles,
  Skeleton,
  SkeletonItem,
  tokens,
} from '@fluentui/react-components'
import { CalendarQuestionMarkRegular } from '@fluentui/react-icons/svg/calendar-question-mark'
import { DismissRegular } from '@fluentui/react-icons/svg/dismiss'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiProblem, errorMessage } from '#web/api/call.ts'
import { Drawer } from '#web/ui/drawer.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { aboveToasts } from '#web/ui/toast-position.ts'
import { confirmationQuery, useResend } from '../api.ts'
import { ConfirmationRecord } from './confirmation-record.tsx'
import { isResendable } from './labels.ts'

const useStyles = makeStyles({
  drawer: { width: '520px', maxWidth: '100%' },
  footer: {
    justifyContent: 'flex-end',
    flexWrap: 'wrap',
    borderTop: `1px solid ${tokens.colorNeutralStroke2}`,
    paddingTop: '12px',
    paddingBottom: '16px',
  },
  loading: { display: 'grid', rowGap: '16px', paddingTop: '8px' },
})

type ConfirmationDetailsDrawerProps = {
  /** The drawer is closed without it. */
  confirmationId: string | undefined
  onClose: () => void
}

/** Drawer with one confirmation over the list. */
export function ConfirmationDetailsDrawer({ confirmationId, onClose }: ConfirmationDetailsDrawerProps) {
  const styles = useStyles()
  const [shownId, setShownId] = useState(confirmationId)
  // The drawer keeps its confirmation during the closing animation.
  if (confirmationId && confirmationId !== shownId) setShownId(confirmationId)
  const { data, error, refetch } = useQuery({
    ...confirmationQuery(shownId ?? ''),
    enabled: Boolean(confirmationId),
  })
  const { resend, resendingId } = useResend()
  const confirmation = error ? undefined : data
  return (
    <Drawer
      className={styles.drawer}
      isOpen={Boolean(confirmationId)}
      onClose={onClose}
      aria-label="Confirmation Details"
    >
      <DrawerHeader {...aboveToasts}>
        <DrawerHeaderTitle
          heading={{ as: 'h2' }}
          action={<Button appearance="subtle" icon={<DismissRegular />} aria-label="Close details" onClick={onClose} />}
        >
          Confirmation Details
        </DrawerHeaderTitle>
      </DrawerHeader>
      <DrawerBody tabIndex={0} role="group" aria-label={confirmation?.patientName ?? 'Confirmation'}>
        {confirmation && <ConfirmationRecord confirmation={confirmation} />}
        {error && <ConfirmationError error={error} onRetry={() => void refetch()} />}
        {!confirmation && !error && (
          <Skeleton className={styles.loading} aria-label="Loading the confirmation">
            <SkeletonItem size={56} />
            <SkeletonItem size={40} />
            <SkeletonItem size={120} />
          </Skeleton>
        )}
      </DrawerBody>
      <DrawerFooter className={styles.footer}>
        <Button onClick={onClose}>Close</Button>
        {confirmation && isResendable(confirmation) && (
          <Button
            appearance="primary"
            disabledFocusable={resendingId === confirmation.id}
            onClick={() => resend(confirmation)}
          >
            Resend
          </Button>
        )}
      </DrawerFooter>
    </Drawer>
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
