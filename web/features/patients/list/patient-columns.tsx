import { makeStyles, mergeClasses, Text, tokens } from '@fluentui/react-components'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Patient } from '#contracts/patients.ts'
import { DemoBadge } from '#web/entities/sample-data/demo-badge.tsx'
import type { Column } from '#web/ui/data-table.tsx'
import { formatAge, formatDate, formatLocalDate } from '#web/ui/dates.ts'
import { Person, RecordId } from '#web/ui/person.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { SecondaryText, TwoLineCell } from '#web/ui/text.tsx'
import { formatName } from '../labels.ts'

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
  // The whole card opens the patient; its menu lies above.
  cover: { '::after': { content: '""', position: 'absolute', inset: 0, right: '48px' } },
  card: { display: 'grid', rowGap: '4px', minWidth: 0 },
  line: { paddingLeft: '48px', display: 'flex', flexWrap: 'wrap', justifyContent: 'space-between', columnGap: '12px' },
})

type PatientLinkProps = { patient: Patient; label: ReactNode; cover?: boolean }

/** The way to a patient, with the list as it is behind it. In a table the row itself has the keyboard's focus. */
function PatientLink({ patient, label, cover = false }: PatientLinkProps) {
  const styles = useStyles()
  return (
    <Link
      to="/patients/$patientId"
      params={{ patientId: patient.id }}
      search={(search) => search}
      tabIndex={cover ? 0 : -1}
      className={mergeClasses(styles.link, cover && styles.cover)}
    >
      {label}
    </Link>
  )
}

const born = ({ dateOfBirth }: Patient) => (dateOfBirth ? formatDate(dateOfBirth) : '-')
/** Nobody ages after death. */
const age = ({ dateOfBirth, deceasedOn }: Patient) =>
  dateOfBirth && (deceasedOn ? `aged ${formatAge(dateOfBirth, deceasedOn)}` : formatAge(dateOfBirth))

/** Alive or not, the same on every screen. */
export function PatientStatus({ patient, plain = false }: { patient: Patient; plain?: boolean }) {
  return <StatusBadge status={patient.deceasedOn ? 'deceased' : 'active'} plain={plain} />
}

/** What tells two of one name apart, and whether somebody belongs to the sample practice. */
function Marks({ patient: { id, sample } }: { patient: Patient }) {
  return (
    <>
      <RecordId id={id} /> {sample && <DemoBadge />}
    </>
  )
}

/** The columns of the list, in the order of the specification; Actions is added by the table. */
export const patientColumns: readonly Column<Patient>[] = [
  {
    id: 'name',
    header: 'Patient',
    width: '28%',
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
    renderCell: ({ email, phoneNational }) =>
      (email || phoneNational) && <TwoLineCell top={email ?? '-'} bottom={phoneNational} />,
  },
  {
    id: 'dateOfBirth',
    header: 'Date of Birth',
    width: '16%',
    sortable: true,
    renderCell: (patient) => <TwoLineCell top={born(patient)} bottom={age(patient)} />,
  },
  {
    id: 'updatedAt',
    header: 'Last Visit',
    width: '14%',
    sortable: true,
    // Who was never here yet shows when their record was last changed.
    renderCell: ({ lastVisit, updatedAt }) => <Text>{formatLocalDate(lastVisit ?? updatedAt)}</Text>,
  },
  {
    id: 'status',
    header: 'Status',
    width: '124px',
    renderCell: (patient) => <PatientStatus patient={patient} plain />,
  },
]

/** The heads of the list while its rows are on their way. */
export const patientSkeletonColumns = [...patientColumns, { header: 'Actions', width: '84px' }]

/** A patient on a phone. */
export function PatientCard({ patient }: { patient: Patient }) {
  const styles = useStyles()
  const facts = [born(patient), age(patient)].filter(Boolean).join(', ')
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
