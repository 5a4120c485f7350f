import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  makeStyles,
  Text,
  tokens,
} from '@fluentui/react-components'
import { SquareMultiple16Regular } from '@fluentui/react-icons'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Appointment } from '#contracts/appointments.ts'
import type { AppointmentStatus } from '#contracts/values/appointments.ts'
import { errorMessage } from '#web/api/call.ts'
import { DemoBadge } from '#web/entities/sample-data/demo-badge.tsx'
import { useFocusReturn } from '#web/ui/use-focus-return.ts'
import { RecordId } from '#web/ui/person.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { useNotify } from '#web/ui/toasts.tsx'
import { useUpdateAppointment } from '../api.ts'
import { formatTime } from '../local-time.ts'
import { formatLongDate } from '../calendar-dates.ts'
import { type SchedulingContext, findProviderName } from '../scheduling-context.ts'
import { SeriesAppointmentList } from '../series/series-appointment-list.tsx'
import { appointmentTypeLabels } from '#web/entities/appointments/appointment-type-labels.ts'
import { formatName } from '../labels.ts'

const useStyles = makeStyles({
  pairs: {
    margin: 0,
    display: 'grid',
    gridTemplateColumns: '128px minmax(0, 1fr)',
    rowGap: '10px',
    '@media (max-width: 639px)': { gridTemplateColumns: '96px minmax(0, 1fr)', columnGap: '8px' },
  },
  term: { color: tokens.colorNeutralForeground3 },
  value: { margin: 0, overflowWrap: 'anywhere', whiteSpace: 'pre-line', fontVariantNumeric: 'tabular-nums' },
  quiet: { color: tokens.colorNeutralForeground3 },
  steps: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    columnGap: '8px',
    rowGap: '8px',
    paddingTop: '16px',
    marginTop: '16px',
    borderTop: `1px solid ${tokens.colorNeutralStroke2}`,
  },
  link: { color: tokens.colorBrandForegroundLink },
  overlap: { display: 'inline-flex', alignItems: 'center', columnGap: '4px', marginLeft: '12px' },
})

type Step = [status: AppointmentStatus, label: string]
const arrived: Step = ['waiting', 'Arrived']
const begin: Step = ['in-progress', 'Start appointment']
const done: Step = ['completed', 'Complete']
const missed: Step = ['no-show', 'No-show']
/** What usually comes next; everything else is in Edit. */
const steps: Record<AppointmentStatus, readonly Step[]> = {
  scheduled: [['confirmed', 'Confirm'], arrived, missed],
  confirmed: [arrived, begin, missed],
  waiting: [begin, done],
  'in-progress': [done],
  completed: [],
  cancelled: [],
  'no-show': [arrived],
}

type AppointmentDetailsProps = {
  desk: SchedulingContext
  appointment: Appointment
  onEdit: () => void
  /** Another appointment of the same row. */
  onAppointment: (appointment: Appointment) => void
  onClose: () => void
}

/** Everything about one appointment, and the next step of it a press away. */
export function AppointmentDetails({ desk, appointment, onEdit, onAppointment, onClose }: AppointmentDetailsProps) {
  useFocusReturn()
  const styles = useStyles()
  const notify = useNotify()
  const change = useUpdateAppointment()
  const step = (status: AppointmentStatus) =>
    change.mutate(
      { appointmentId: appointment.id, body: { status } },
      {
        onSuccess: () => notify({ title: 'Appointment updated', body: formatName(appointment.patient) }),
        onError: (error) =>
          notify({ title: 'Failed to update appointment', body: errorMessage(error), intent: 'error' }),
      },
    )
  const none = <span className={styles.quiet}>Not provided</span>
  const rows: [term: string, value: ReactNode][] = [
    [
      'Patient',
      <Link
        key="patient"
        to="/patients/$patientId"
        params={{ patientId: appointment.patientId }}
        className={styles.link}
      >
        {formatName(appointment.patient)}
      </Link>,
    ],
    [
      'Patient ID',
      <span key="id">
        <RecordId id={appointment.patientId} /> {appointment.sample && <DemoBadge />}
      </span>,
    ],
    ['Date and time', `${formatLongDate(appointment.localDate)}, ${formatTime(appointment.localTime)}`],
    ['Type', appointmentTypeLabels[appointment.type]],
    ['Duration', `${appointment.duration} minutes`],
    [
      'Status',
      <span key="status">
        <StatusBadge status={appointment.status} />
        {appointment.overlap && (
          <span className={styles.overlap}>
            <SquareMultiple16Regular aria-hidden /> Overlap
          </span>
        )}
      </span>,
    ],
    ['Provider', findProviderName(desk, appointment.providerId)],
    ...(appointment.seriesId
      ? [
          [
            'Repeats',
            <SeriesAppointmentList
              key="row"
              appointment={appointment}
              seriesId={appointment.seriesId}
              onAppointment={onAppointment}
            />,
          ] as [string, ReactNode],
        ]
      : []),
    ['Reason', appointment.reason ?? none],
    ['Notes', appointment.notes ?? none],
  ]
  const next = steps[appointment.status]
  return (
    <Dialog open onOpenChange={(_, { open }) => !open && onClose()}>
      <DialogSurface>
        <DialogBody>
          <DialogTitle>Appointment Details</DialogTitle>
          <DialogContent>
            <dl className={styles.pairs}>
              {rows.map(([term, value]) => (
                <div key={term} style={{ display: 'contents' }}>
                  <dt className={styles.term}>{term}</dt>
                  <dd className={styles.value} dir="auto">
                    {value}
                  </dd>
                </div>
              ))}
            </dl>
            {next.length > 0 && (
              <div className={styles.steps} role="group" aria-label="Next step">
                <Text className={styles.quiet}>Next</Text>
                {next.map(([status, label]) => (
                  <Button key={status} disabledFocusable={change.isPending} onClick={() => step(status)}>
                    {label}
                  </Button>
                ))}
              </div>
            )}
          </DialogContent>
          <DialogActions>
            <Button onClick={onClose}>Close</Button>
            <Button appearance="primary" onClick={onEdit}>
              Edit
            </Button>
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  )
}
