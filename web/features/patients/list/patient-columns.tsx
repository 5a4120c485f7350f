import { formatName } from '#web/ui/format.ts'
import { makeStyles, mergeClasses, Text, tokens } from '@fluentui/react-components'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Patient } from '#contracts/patients.ts'
import { formatDateIn, usePracticeToday, usePracticeZone } from '#web/entities/practices/practice-time.ts'
import { DemoBadge } from '#web/entities/sample-data/demo-badge.tsx'
import type { Column } from '#web/ui/data-table.tsx'
import { formatAge, formatDate } from '#web/ui/dates.ts'
import { Person, RecordId } from '#web/ui/person.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { SecondaryText, TwoLineCell } from '#web/ui/text.tsx'

const useStyles = makeStyles({
  link: {
    maxWidth: '100%',
    display: 'flex',
    color: 'inherit',
    textDecorationLine: 'none',
    borderRadius: tokens.borderRadiusSmall,
    ':hover': { textDecorationLine: 'underline' },
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '1px' },
  },
  // The whole card opens the patient; its menu is layered above.
  cardLink: { '::after': { content: '""', position: 'absolute', inset: 0, right: '48px' } },
  card: { display: 'grid', rowGap: '4px', minWidth: 0 },
  line: { paddingLeft: '48px', display: 'flex', flexWrap: 'wrap', justifyContent: 'space-between', columnGap: '12px' },
})

type PatientLinkProps = { patient: Patient; label: ReactNode; cover?: boolean }

/** Link to a patient that keeps the list's search. In a table the row has the keyboard focus instead. */
function PatientLink({ patient, label, cover = false }: PatientLinkProps) {
  const styles = useStyles()
  return (
    <Link
      to="/patients/$patientId"
      params={{ patientId: patient.id }}
      search={(search) => search}
      tabIndex={cover ? 0 : -1}
      className={mergeClasses(styles.link, cover && styles.cardLink)}
    >
      {label}
    </Link>
  )
}

const formatBirthDate = ({ dateOfBirth }: Patient) => (dateOfBirth ? formatDate(dateOfBirth) : '-')
/** Formats the age today, of a deceased patient at death. */
const describeAge = ({ dateOfBirth, deceasedOn }: Patient, today: string) =>
  dateOfBirth && (deceasedOn ? `aged ${formatAge(dateOfBirth, deceasedOn)}` : formatAge(dateOfBirth, today))

const BirthDate = ({ patient }: { patient: Patient }) => (
  <TwoLineCell top={formatBirthDate(patient)} bottom={describeAge(patient, usePracticeToday())} />
)

/** Badge that shows whether a patient is active or deceased. */
export function PatientStatus({ patient, plain = false }: { patient: Patient; plain?: boolean }) {
  return <StatusBadge status={patient.deceasedOn ? 'deceased' : 'active'} plain={plain} />
}

/** Marks that tell patients of the same name apart and show sample data. */
function Marks({ patient: { id, sample } }: { patient: Patient }) {
  return (
    <>
      <RecordId id={id} /> {sample && <DemoBadge />}
    </>
  )
}

/** The day of the last completed appointment; without one, of the last change of the record. */
function LastVisit({ patient: { lastVisit, updatedAt } }: { patient: Patient }) {
  return <Text>{formatDateIn(usePracticeZone(), lastVisit ?? updatedAt)}</Text>
}

/** Columns of the list in the order of the specification; the table adds Actions. */
export const patientColumns: readonly Column<Patient>[] = [
  {
    id: 'name',
    header: 'Patient',
    width: '28%',
    tight: '25%',
    sortable: true,
    renderCell: (patient) => (
      <Person
        name={formatName(patient)}
        detail={<Marks patient={patient} />}
        renderName={(label) => <PatientLink patient={patient} label={label} />}
      />
    ),
  },
  {
    id: 'contact',
    header: 'Contact',
    width: '24%',
    tight: 'auto',
    renderCell: ({ email, phoneNational }) =>
      (email || phoneNational) && <TwoLineCell top={email ?? '-'} bottom={phoneNational} />,
  },
  {
    id: 'dateOfBirth',
    header: 'Date of Birth',
    width: '16%',
    tight: '116px',
    sortable: true,
    renderCell: (patient) => <BirthDate patient={patient} />,
  },
  {
    id: 'lastVisit',
    header: 'Last Visit',
    width: '14%',
    tight: '112px',
    sortable: true,
    renderCell: (patient) => <LastVisit patient={patient} />,
  },
  {
    id: 'status',
    header: 'Status',
    width: '124px',
    tight: '112px',
    renderCell: (patient) => <PatientStatus patient={patient} plain />,
  },
]

/** Column heads of the list while it is loading. */
export const patientSkeletonColumns = [...patientColumns, { header: 'Actions', width: '84px' }]

/** A patient in the list on a narrow screen. */
export function PatientCard({ patient }: { patient: Patient }) {
  const styles = useStyles()
  const facts = [formatBirthDate(patient), describeAge(patient, usePracticeToday())].filter(Boolean).join(', ')
  return (
    <span className={styles.card}>
      <Person
        name={formatName(patient)}
        detail={<Marks patient={patient} />}
        renderName={(label) => <PatientLink patient={patient} label={label} cover />}
      />
      <span className={styles.line}>
        <SecondaryText>{facts}</SecondaryText>
        {patient.deceasedOn ? (
          <PatientStatus patient={patient} plain />
        ) : (
          <SecondaryText>{patient.phoneNational ?? patient.email ?? ''}</SecondaryText>
        )}
      </span>
    </span>
  )
}
