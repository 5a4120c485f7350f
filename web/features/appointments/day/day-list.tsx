import { makeStyles, Text, tokens } from '@fluentui/react-components'
import { ArrowRepeatAll16Regular } from '@fluentui/react-icons'
import type { Appointment } from '#contracts/appointments.ts'
import { type Column, DataTable } from '#web/ui/data-table.tsx'
import { DemoBadge } from '#web/entities/sample-data/demo-badge.tsx'
import { RecordId } from '#web/ui/person.tsx'
import type { RowAction } from '#web/ui/row-menu.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { SecondaryText, TwoLineCell } from '#web/ui/text.tsx'
import { formatTime } from '../local-time.ts'
import { type SchedulingContext, findProviderName } from '../scheduling-context.ts'
import { appointmentTypeLabels } from '#web/entities/appointments/appointment-type-labels.ts'
import { formatName } from '../labels.ts'

const useStyles = makeStyles({
  time: { fontWeight: tokens.fontWeightSemibold, fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' },
  repeats: { marginLeft: '6px', verticalAlign: '-3px', color: tokens.colorNeutralForeground3 },
  struck: { textDecorationLine: 'line-through', color: tokens.colorNeutralForeground3 },
  card: { display: 'grid', gridTemplateColumns: '76px minmax(0, 1fr)', columnGap: '8px', rowGap: '2px' },
  line: { gridColumn: 2, display: 'flex', flexWrap: 'wrap', justifyContent: 'space-between', columnGap: '8px' },
})

function Name({ visit }: { visit: Appointment }) {
  const styles = useStyles()
  return (
    <span
      className={visit.status === 'cancelled' ? styles.struck : undefined}
      dir="auto"
      title={formatName(visit.patient)}
    >
      {formatName(visit.patient)}
    </span>
  )
}

/** What tells two of one name apart, and whether the visit belongs to the sample practice. */
function Marks({ visit }: { visit: Appointment }) {
  return (
    <>
      <RecordId id={visit.patientId} /> {visit.sample && <DemoBadge />}
    </>
  )
}

function Time({ visit }: { visit: Appointment }) {
  const styles = useStyles()
  return (
    <Text className={styles.time}>
      {formatTime(visit.localTime)}
      {visit.seriesId && <ArrowRepeatAll16Regular aria-label="Repeats" className={styles.repeats} />}
    </Text>
  )
}

function Card({ visit }: { visit: Appointment }) {
  const styles = useStyles()
  return (
    <span className={styles.card}>
      <Time visit={visit} />
      <TwoLineCell strong top={<Name visit={visit} />} bottom={<Marks visit={visit} />} />
      <SecondaryText className={styles.line}>
        {[appointmentTypeLabels[visit.type], visit.reason, `${visit.duration}\u00a0min`].filter(Boolean).join(', ')}
        <StatusBadge status={visit.status} plain />
      </SecondaryText>
    </span>
  )
}

const createColumns = (desk: SchedulingContext): Column<Appointment>[] => [
  {
    id: 'time',
    header: 'Time',
    width: '104px',
    renderCell: (visit) => <TwoLineCell top={<Time visit={visit} />} bottom={`${visit.duration} min`} />,
  },
  {
    id: 'patient',
    header: 'Patient',
    renderCell: (visit) => <TwoLineCell strong top={<Name visit={visit} />} bottom={<Marks visit={visit} />} />,
  },
  {
    id: 'type',
    header: 'Type',
    renderCell: (visit) => <TwoLineCell top={appointmentTypeLabels[visit.type]} bottom={visit.reason} />,
  },
  ...(desk.allProviders.length > 1
    ? [
        {
          id: 'provider',
          header: 'Provider',
          renderCell: (visit: Appointment) => <TwoLineCell top={findProviderName(desk, visit.providerId)} />,
        },
      ]
    : []),
  {
    id: 'status',
    header: 'Status',
    width: '132px',
    renderCell: (visit) => <StatusBadge status={visit.status} plain />,
  },
]

type DayListProps = {
  desk: SchedulingContext
  visits: readonly Appointment[]
  actionsOf: (visit: Appointment) => readonly RowAction[]
  onOpen: (visit: Appointment) => void
  onCancel: (visit: Appointment) => void
}

/** The day as a list, in order of time. */
export function DayList({ desk, visits, actionsOf, onOpen, onCancel }: DayListProps) {
  return (
    <DataTable
      bare
      label="Appointments"
      columns={createColumns(desk)}
      rows={visits}
      idOf={({ id }) => id}
      nameOf={(visit) => `${formatName(visit.patient)}, ${formatTime(visit.localTime)}`}
      renderCard={(visit) => <Card visit={visit} />}
      onOpen={onOpen}
      onDelete={onCancel}
      actions={actionsOf}
    />
  )
}
