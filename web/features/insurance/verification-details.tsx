import { Button } from '@fluentui/react-components'
import { ArrowClockwiseRegular } from '@fluentui/react-icons/svg/arrow-clockwise'
import { useQuery } from '@tanstack/react-query'
import type { InsuranceVerification } from '#contracts/insurance.ts'
import { DetailsDrawer, DetailsSkeleton, useLastShown } from '#web/ui/details-drawer.tsx'
import { type ChosenStatus, useChangeStatus, verificationQuery } from './api.ts'
import { VerificationError } from './verification-error.tsx'
import { VerificationRecord } from './verification-record.tsx'

type VerificationDetailsDrawerProps = {
  /** The drawer is closed without it. */
  verificationId: string | undefined
  onClose: () => void
  onEdit: (verificationId: string) => void
}

/** Drawer with one verification over the list. */
export function VerificationDetailsDrawer({ verificationId, onClose, onEdit }: VerificationDetailsDrawerProps) {
  const shownId = useLastShown(verificationId)
  const { data, error, refetch } = useQuery({
    ...verificationQuery(shownId ?? ''),
    enabled: Boolean(verificationId),
  })
  const verification = error ? undefined : data
  return (
    <DetailsDrawer
      isOpen={Boolean(verificationId)}
      onClose={onClose}
      label="Verification Details"
      bodyLabel={verification?.patientName ?? 'Verification'}
      actions={
        verification ? <DetailActions verification={verification} onEdit={() => onEdit(verification.id)} /> : null
      }
    >
      {verification && <VerificationRecord verification={verification} />}
      {error && <VerificationError error={error} onRetry={() => void refetch()} />}
      {!verification && !error && <DetailsSkeleton label="Loading the verification" />}
    </DetailsDrawer>
  )
}

type DetailActionsProps = { verification: InsuranceVerification; onEdit: () => void }

/** The buttons that edit a verification or change its status. An expired one needs a later expiry date first. */
function DetailActions({ verification, onEdit }: DetailActionsProps) {
  const { changeStatus, isChanging } = useChangeStatus()
  const choose = (status: ChosenStatus) => changeStatus(verification, status)
  const { verificationStatus } = verification
  if (verificationStatus === 'expired')
    return (
      <Button appearance="primary" onClick={onEdit}>
        Edit
      </Button>
    )
  return (
    <>
      <Button onClick={onEdit}>Edit</Button>
      {verificationStatus === 'pending' ? (
        <>
          <Button disabledFocusable={isChanging} onClick={() => choose('denied')}>
            Mark denied
          </Button>
          <Button appearance="primary" disabledFocusable={isChanging} onClick={() => choose('verified')}>
            Mark verified
          </Button>
        </>
      ) : (
        <Button
          appearance="primary"
          icon={<ArrowClockwiseRegular />}
          disabledFocusable={isChanging}
          onClick={() => choose('pending')}
        >
          Verify again
        </Button>
      )}
    </>
  )
}
