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
import { ArrowClockwiseRegular } from '@fluentui/react-icons/svg/arrow-clockwise'
import { DismissRegular } from '@fluentui/react-icons/svg/dismiss'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { InsuranceVerification } from '#contracts/insurance.ts'
import { Drawer } from '#web/ui/drawer.tsx'
import { aboveToasts } from '#web/ui/toast-position.ts'
import { type ChosenStatus, useChangeStatus, verificationQuery } from './api.ts'
import { VerificationError } from './verification-error.tsx'
import { VerificationRecord } from './verification-record.tsx'

const useStyles = makeStyles({
  drawer: { width: '560px', maxWidth: '100%' },
  footer: {
    justifyContent: 'flex-end',
    flexWrap: 'wrap',
    borderTop: `1px solid ${tokens.colorNeutralStroke2}`,
    paddingTop: '12px',
    paddingBottom: '16px',
  },
  loading: { display: 'grid', rowGap: '16px', paddingTop: '8px' },
})

type VerificationDetailsDrawerProps = {
  /** The drawer is closed without it. */
  verificationId: string | undefined
  onClose: () => void
  onEdit: (verificationId: string) => void
}

/** Drawer with one verification over the list. */
export function VerificationDetailsDrawer({ verificationId, onClose, onEdit }: VerificationDetailsDrawerProps) {
  const styles = useStyles()
  const [shownId, setShownId] = useState(verificationId)
  // The drawer keeps its verification during the closing animation.
  if (verificationId && verificationId !== shownId) setShownId(verificationId)
  const { data, error, refetch } = useQuery({
    ...verificationQuery(shownId ?? ''),
    enabled: Boolean(verificationId),
  })
  const verification = error ? undefined : data
  return (
    <Drawer
      className={styles.drawer}
      isOpen={Boolean(verificationId)}
      onClose={onClose}
      aria-label="Verification Details"
    >
      <DrawerHeader {...aboveToasts}>
        <DrawerHeaderTitle
          heading={{ as: 'h2' }}
          action={<Button appearance="subtle" icon={<DismissRegular />} aria-label="Close details" onClick={onClose} />}
        >
          Verification Details
        </DrawerHeaderTitle>
      </DrawerHeader>
      <DrawerBody tabIndex={0} role="group" aria-label={verification?.patientName ?? 'Verification'}>
        {verification && <VerificationRecord verification={verification} />}
        {error && <VerificationError error={error} onRetry={() => void refetch()} />}
        {!verification && !error && (
          <Skeleton className={styles.loading} aria-label="Loading the verification">
            <SkeletonItem size={56} />
            <SkeletonItem size={40} />
            <SkeletonItem size={120} />
          </Skeleton>
        )}
      </DrawerBody>
      <DrawerFooter className={styles.footer}>
        <Button onClick={onClose}>Close</Button>
        {verification && <DetailActions verification={verification} onEdit={() => onEdit(verification.id)} />}
      </DrawerFooter>
    </Drawer>
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
