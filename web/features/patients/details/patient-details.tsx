import { Button, makeStyles } from '@fluentui/react-components'
import { PrintRegular } from '@fluentui/react-icons/svg/print'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { practiceQuery } from '#web/entities/practices/practice-query.ts'
import { usePracticeToday } from '#web/entities/practices/practice-time.ts'
import { formatDate } from '#web/ui/dates.ts'
import { DetailsDrawer, DetailsSkeleton, useLastShown } from '#web/ui/details-drawer.tsx'
import { formatName } from '#web/ui/format.ts'
import { findCachedPatient } from '../api.ts'
import { patientQuery } from '#web/entities/patients/patient-query.ts'
import { PatientError } from './patient-error.tsx'
import { PatientRecord } from './patient-record.tsx'
import type { PatientSections } from './patient-sections.ts'

const useStyles = makeStyles({
  printed: { display: 'none', '@media print': { display: 'block', margin: 0 } },
})

type PatientDetailsProps = {
  /** The drawer is closed without it. */
  patientId: string | undefined
  sections: PatientSections
  onClose: () => void
  /** Omitted for users who may not change patients. */
  onEdit?: (patientId: string) => void
}

/** Drawer with one patient over the list. */
export function PatientDetails({ patientId, sections, onClose, onEdit }: PatientDetailsProps) {
  const shownId = useLastShown(patientId)
  const queries = useQueryClient()
  const { data, error, refetch } = useQuery({
    ...patientQuery(shownId ?? ''),
    enabled: Boolean(patientId),
    placeholderData: () => (shownId ? findCachedPatient(queries, shownId) : undefined),
  })
  const patient = error ? undefined : data
  return (
    <DetailsDrawer
      isOpen={Boolean(patientId)}
      onClose={onClose}
      label="Patient Details"
      tools={
        <Button
          appearance="subtle"
          icon={<PrintRegular />}
          aria-label="Print the record"
          disabledFocusable={!patient}
          onClick={() => print()}
        />
      }
      bodyLabel={patient ? formatName(patient) : 'Record'}
      isBodyFocused
      actions={
        patient && onEdit ? (
          <Button appearance="primary" onClick={() => onEdit(patient.id)}>
            Edit Patient
          </Button>
        ) : null
      }
    >
      {patient && <PrintedNote practiceId={patient.practiceId} />}
      {patient && <PatientRecord patient={patient} sections={sections} />}
      {error && <PatientError error={error} onRetry={() => void refetch()} />}
      {!patient && !error && <DetailsSkeleton label="Loading the record" />}
    </DetailsDrawer>
  )
}

/** The first line of a printed record: whose it is, and of which day. */
function PrintedNote({ practiceId }: { practiceId: string }) {
  const { data: practice } = useQuery(practiceQuery(practiceId))
  const printedOn = `printed on ${formatDate(usePracticeToday())}`
  return <p className={useStyles().printed}>{[practice?.name, printedOn].filter(Boolean).join(', ')}</p>
}
