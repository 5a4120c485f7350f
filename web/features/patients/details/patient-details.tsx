import {
  Button,
  DrawerBody,
  DrawerFooter,
  DrawerHeader,
  DrawerHeaderTitle,
  makeStyles,
  OverlayDrawer,
  Skeleton,
  SkeletonItem,
  tokens,
  useRestoreFocusSource,
  useRestoreFocusTarget,
} from '@fluentui/react-components'
import { DismissRegular } from '@fluentui/react-icons/svg/dismiss'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Patient } from '#contracts/patients.ts'
import { aboveToasts } from '#web/ui/toast-position.ts'
import { FocusReturn } from '#web/ui/use-focus-return.ts'
import { findCachedPatient, patientQuery } from '../api.ts'
import { PatientError } from './patient-error.tsx'
import { PatientRecord } from './patient-record.tsx'

const useStyles = makeStyles({
  drawer: { width: '520px', maxWidth: '100%' },
  footer: {
    justifyContent: 'flex-end',
    borderTop: `1px solid ${tokens.colorNeutralStroke2}`,
    paddingTop: '12px',
    paddingBottom: '16px',
  },
  loading: { display: 'grid', rowGap: '16px', paddingTop: '8px' },
})

type PatientDetailsProps = {
  /** The drawer is closed without it. */
  patientId: string | undefined
  renderAppointments: (patient: Patient) => ReactNode
  onClose: () => void
  onEdit: (patientId: string) => void
}

/** Drawer with one patient over the list. */
export function PatientDetails({ patientId, renderAppointments, onClose, onEdit }: PatientDetailsProps) {
  const styles = useStyles()
  const focusSource = useRestoreFocusSource()
  // The edit form returns the focus to this button, not to the row behind the drawer.
  const focusTarget = useRestoreFocusTarget()
  const [shownId, setShownId] = useState(patientId)
  // The drawer keeps its patient during the closing animation.
  if (patientId && patientId !== shownId) setShownId(patientId)
  const queries = useQueryClient()
  const { data, error, refetch } = useQuery({
    ...patientQuery(shownId ?? ''),
    enabled: Boolean(patientId),
    placeholderData: () => (shownId ? findCachedPatient(queries, shownId) : undefined),
  })
  const patient = error ? undefined : data
  return (
    <OverlayDrawer
      {...focusSource}
      className={styles.drawer}
      position="end"
      open={Boolean(patientId)}
      onOpenChange={(_, { open }) => !open && onClose()}
      aria-label="Patient Details"
    >
      <FocusReturn />
      <DrawerHeader {...aboveToasts}>
        <DrawerHeaderTitle
          heading={{ as: 'h2' }}
          action={<Button appearance="subtle" icon={<DismissRegular />} aria-label="Close details" onClick={onClose} />}
        >
          Patient Details
        </DrawerHeaderTitle>
      </DrawerHeader>
      <DrawerBody>
        {patient && <PatientRecord patient={patient} appointments={renderAppointments(patient)} />}
        {error && <PatientError error={error} onRetry={() => void refetch()} />}
        {!patient && !error && (
          <Skeleton className={styles.loading} aria-label="Loading the record">
            <SkeletonItem size={56} />
            <SkeletonItem size={40} />
            <SkeletonItem size={120} />
          </Skeleton>
        )}
      </DrawerBody>
      <DrawerFooter className={styles.footer}>
        <Button onClick={onClose}>Close</Button>
        {patient && (
          <Button {...focusTarget} appearance="primary" onClick={() => onEdit(patient.id)}>
            Edit Patient
          </Button>
        )}
      </DrawerFooter>
    </OverlayDrawer>
  )
}
