import { formatName } from '#web/ui/format.ts'
import { formatTime } from '#web/ui/dates.ts'
import { makeStyles, Text, tokens } from '@fluentui/react-components'
import { ArrowRepeatAll16Regular } from '@fluentui/react-icons/svg/arrow-repeat-all'
import type { Appointment } from '#contracts/appointments.ts'
import { type Column, DataTable } from '#web/ui/data-table.tsx'
import { DemoBadge } from '#web/entities/sample-data/demo-badge.tsx'
import { RecordId } from '#web/ui/person.tsx'
import type { MenuAction } from '#web/ui/menu-action.ts'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { SecondaryText, TwoLineCell } from '#web/ui/text.tsx'
import { type SchedulingContext, findProviderName } from '../scheduling-context.ts'
import { DeceasedMark } from '#web/entities/appointments/deceased-mark.tsx'
import { AppointmentTypeLabel } from '#web/entities/appointments/appointment-type-label.tsx'

const useStyles = makeStyles({
  time: { fontWeight: tokens.fontWeightSemibold, fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' },
  repeatIcon: { marginLeft: '6px', verticalAlign: '-3px', color: tokens.colorNeutralForeground3 },
  strikethrough: { textDecorationLine: 'line-through', color: tokens.colorNeutralForeground3 },
  card: { display: 'grid', gridTemplateColumns: '76px minmax(0, 1fr)', columnGap: '8px', rowGap: '2px' },
  line: { gridColumn: 2, display: 'flex', flexWrap: 'wrap', justifyContent: 'space-between', columnGap: '8px' },
})

function Name({ appointment }: { appointment: Appointment }) {
  const styles = useStyles()
  return (
    <span
      className={appointment.status === 'cancelled' ? styles.strikethrough : undefined}
      dir="auto"
      title={formatName(appointment.patient)}
    >
      {formatName(appointment.patient)}
    </span>
  )
}

/** Marks that tell patients of the same name apart and show sample data. */
function Marks({ appointment }: { appointment: Appointment }) {
  return (
    <>
      <RecordId id={appointment.patientId} /> {appointment.sample && <DemoBadge />}
    </>
  )
}

function Time({ appointment }: { appointment: Appointment }) {
  const styles = useStyles()
  return (
    <Text className={styles.time}>
      {formatTime(appointment.localTime)}
      {appointment.seriesId && <ArrowRepeatAll16Regular aria-label="Repeats" className={styles.repeatIcon} />}
    </Text>
  )
}

function Card({ appointment }: { appointment: Appointment }) {
  const styles = useStyles()
  return (
    <span className={styles.card}>
      <Time appointment={appointment} />
      <TwoLineCell strong top={<Name appointment={appointment} />} bottom={<Marks appointment={appointment} />} />
      <SecondaryText className={styles.line}>
        <span>
          {appointment.patientDeceased && <DeceasedMark />}
          <AppointmentTypeLabel type={appointment.type} />
          {appointment.reason && `, ${appointment.reason}`}
          {`, ${appointment.duration}\u00a0min`}
        </span>
        <StatusBadge status={appointment.status} plain />
      </SecondaryText>
    </span>
  )
}

const createColumns = (context: SchedulingContext): Column<Appointment>[] => [
  {
    id: 'time',
    header: 'Time',
    width: '104px',
    renderCell: (appointment) => (
      <TwoLineCell top={<Time appointment={appointment} />} bottom={`${appointment.duration} min`} />
    ),
  },
  {
    id: 'patient',
    header: 'Patient',
    renderCell: (appointment) => (
      <TwoLineCell strong top={<Name appointment={appointment} />} bottom={<Marks appointment={appointment} />} />
    ),
  },
  {
    id: 'type',
    header: 'Type',
    renderCell: (appointment) => (
      <TwoLineCell
        top={
          <>
            {appointment.patientDeceased && <DeceasedMark />}
            <AppointmentTypeLabel type={appointment.type} />
          </>
        }
        bottom={appointment.reason}
      />
    ),
  },
  ...(context.allProviders.length > 1
    ? [
        {
          id: 'provider',
          header: 'Provider',
          renderCell: (appointment: Appointment) => (
            <TwoLineCell top={findProviderName(context, appointment.providerId)} />
          ),
        },
      ]
    : []),
  {
    id: 'status',
    header: 'Status',
    width: '132px',
    renderCell: (appointment) => <StatusBadge status={appointment.status} plain />,
  },
]

type DayListProps = {
  context: SchedulingContext
  appointments: readonly Appointment[]
  getActions: (appointment: Appointment) => readonly MenuAction[]
  onOpen: (appointment: Appointment) => void
  onCancel: (appointment: Appointment) => void
}

/** The day as a list, sorted by time. */
export function DayList({ context, appointments, getActions, onOpen, onCancel }: DayListProps) {
  return (
    <DataTable
      isNested
      label="Appointments"
      columns={createColumns(context)}
      rows={appointments}
      getId={({ id }) => id}
      getName={(appointment) => `${formatName(appointment.patient)}, ${formatTime(appointment.localTime)}`}
      renderCard={(appointment) => <Card appointment={appointment} />}
      onOpen={onOpen}
      onDelete={onCancel}
      actions={getActions}
    />
  )
}
