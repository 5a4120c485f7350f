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
import { DismissRegular } from '@fluentui/react-icons/svg/dismiss'
import { PrintRegular } from '@fluentui/react-icons/svg/print'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Patient } from '#contracts/patients.ts'
import { practiceQuery } from '#web/entities/practices/practice-query.ts'
import { usePracticeToday } from '#web/entities/practices/practice-time.ts'
import { formatDate } from '#web/ui/dates.ts'
import { Drawer } from '#web/ui/drawer.tsx'
import { formatName } from '#web/ui/format.ts'
import { aboveToasts } from '#web/ui/toast-position.ts'
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
  body: { ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '-2px' } },
  printed: { display: 'none', '@media print': { display: 'block', margin: 0 } },
  loading: { display: 'grid', rowGap: '16px', paddingTop: '8px' },
})

type PatientDetailsProps = {
  /** The drawer is closed without it. */
  patientId: string | undefined
  /** Renders the section with the patient's appointments; null for users who may not see them. */
  renderAppointments: ((patient: Patient) => ReactNode) | null
  onClose: () => void
  /** Omitted for users who may not change patients. */
  onEdit?: (patientId: string) => void
}

/** Drawer with one patient over the list. */
export function PatientDetails({ patientId, renderAppointments, onClose, onEdit }: PatientDetailsProps) {
  const styles = useStyles()
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
    <Drawer className={styles.drawer} isOpen={Boolean(patientId)} onClose={onClose} aria-label="Patient Details">
      <DrawerHeader {...aboveToasts}>
        <DrawerHeaderTitle
          heading={{ as: 'h2' }}
          action={
            <>
              <Button
                appearance="subtle"
                icon={<PrintRegular />}
                aria-label="Print the record"
                disabledFocusable={!patient}
                onClick={() => print()}
              />
              <Button appearance="subtle" icon={<DismissRegular />} aria-label="Close details" onClick={onClose} />
            </>
          }
        >
          Patient Details
        </DrawerHeaderTitle>
      </DrawerHeader>
      <ScrollingBody label={patient ? formatName(patient) : 'Record'}>
        {patient && <PrintedNote practiceId={patient.practiceId} />}
        {patient && <PatientRecord patient={patient} appointments={renderAppointments?.(patient) ?? null} />}
        {error && <PatientError error={error} onRetry={() => void refetch()} />}
        {!patient && !error && (
          <Skeleton className={styles.loading} aria-label="Loading the record">
            <SkeletonItem size={56} />
            <SkeletonItem size={40} />
            <SkeletonItem size={120} />
          </Skeleton>
        )}
      </ScrollingBody>
      <DrawerFooter className={styles.footer}>
        <Button onClick={onClose}>Close</Button>
        {patient && onEdit && (
          <Button appearance="primary" onClick={() => onEdit(patient.id)}>
            Edit Patient
          </Button>
        )}
      </DrawerFooter>
    </Drawer>
  )
}

/** The first line of a printed record: whose it is, and of which day. */
function PrintedNote({ practiceId }: { practiceId: string }) {
  const { data: practice } = useQuery(practiceQuery(practiceId))
  const printedOn = `printed on ${formatDate(usePracticeToday())}`
  return <p className={useStyles().printed}>{[practice?.name, printedOn].filter(Boolean).join(', ')}</p>
}

/** The part that scrolls. It has the focus first, so that Page Down and the arrow keys scroll it, but is no tab stop. */
function ScrollingBody({ label, children }: { label: string; children: ReactNode }) {
  const body = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // After the drawer has moved the focus to its first button.
    queueMicrotask(() => body.current?.focus({ preventScroll: true }))
  }, [])
  return (
    <DrawerBody ref={body} className={useStyles().body} role="group" aria-label={label} tabIndex={-1}>
      {children}
    </DrawerBody>
  )
}
