import { formatName } from '#web/ui/format.ts'
import { formatTime } from '#web/ui/dates.ts'
import { Button, makeStyles, Text, tokens } from '@fluentui/react-components'
import { SquareMultiple16Regular } from '@fluentui/react-icons/svg/square-multiple'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Appointment } from '#contracts/appointments.ts'
import { useHasPermission } from '#web/entities/accounts/current-user.ts'
import { DemoBadge } from '#web/entities/sample-data/demo-badge.tsx'
import { DialogFrame } from '#web/ui/dialog-frame.tsx'
import { RecordId } from '#web/ui/person.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { keepFocusBeside } from '#web/ui/use-focus-return.ts'
import { appointmentQuery } from '../api.ts'
import { isBookedAgain } from './book-again.ts'
import { formatLongDate } from '../calendar-dates.ts'
import { type SchedulingContext, findProviderName } from '../scheduling-context.ts'
import { SeriesAppointmentList } from '../series/series-appointment-list.tsx'
import { nextSteps } from '#web/entities/appointments/next-steps.ts'
import { useStatusChange } from '#web/entities/appointments/use-status-change.ts'
import { AppointmentTypeLabel } from '#web/entities/appointments/appointment-type-label.tsx'

const useStyles = makeStyles({
  detailList: {
    margin: 0,
    display: 'grid',
    gridTemplateColumns: '128px minmax(0, 1fr)',
    rowGap: '10px',
    '@media (max-width: 639px)': { gridTemplateColumns: '96px minmax(0, 1fr)', columnGap: '8px' },
  },
  term: { color: tokens.colorNeutralForeground3 },
  value: { margin: 0, overflowWrap: 'anywhere', whiteSpace: 'pre-line', fontVariantNumeric: 'tabular-nums' },
  secondary: { color: tokens.colorNeutralForeground3 },
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

type AppointmentDetailsProps = {
  context: SchedulingContext
  appointment: Appointment
  onEdit: () => void
  onBookAgain: () => void
  /** Opens another appointment of the same series. */
  onAppointment: (appointment: Appointment) => void
  onClose: () => void
}

/** Details of one appointment, with buttons for its next status. */
export function AppointmentDetails(props: AppointmentDetailsProps) {
  const { appointment, onEdit, onBookAgain, onClose } = props
  return (
    <DialogFrame
      title="Appointment Details"
      closeLabel="Close"
      actions={
        <Button appearance="primary" onClick={onEdit}>
          Edit
        </Button>
      }
      onClose={onClose}
    >
      <DetailPairs {...props} />
      <NextSteps appointment={appointment} onBookAgain={onBookAgain} />
    </DialogFrame>
  )
}

type DetailPairsProps = Pick<AppointmentDetailsProps, 'context' | 'appointment' | 'onAppointment' | 'onClose'>

function DetailPairs({ context, appointment, onAppointment, onClose }: DetailPairsProps) {
  const styles = useStyles()
  const { seriesId } = appointment
  const none = <span className={styles.secondary}>Not provided</span>
  return (
    <dl className={styles.detailList}>
      <DetailPair term="Patient">
        <Link
          to="/patients/$patientId"
          params={{ patientId: appointment.patientId }}
          className={styles.link}
          // The patient's own details may be open below.
          onClick={onClose}
        >
          {formatName(appointment.patient)}
        </Link>{' '}
        {appointment.patientDeceased && <StatusBadge status="deceased" />}
      </DetailPair>
      <DetailPair term="Patient ID">
        <RecordId id={appointment.patientId} /> {appointment.sample && <DemoBadge />}
      </DetailPair>
      <DetailPair term="Date and time">
        {`${formatLongDate(appointment.localDate)}, ${formatTime(appointment.localTime)}`}
      </DetailPair>
      <DetailPair term="Type">
        <AppointmentTypeLabel type={appointment.type} />
      </DetailPair>
      <DetailPair term="Duration">{`${appointment.duration} minutes`}</DetailPair>
      <DetailPair term="Status">
        <StatusBadge status={appointment.status} />
        {appointment.overlap && (
          <span className={styles.overlap}>
            <SquareMultiple16Regular aria-hidden /> Overlap
          </span>
        )}
      </DetailPair>
      <CoveragePair appointment={appointment} onClose={onClose} />
      <DetailPair term="Provider">{findProviderName(context, appointment.providerId)}</DetailPair>
      {seriesId && (
        <DetailPair term="Repeats">
          <SeriesAppointmentList appointment={appointment} seriesId={seriesId} onAppointment={onAppointment} />
        </DetailPair>
      )}
      <DetailPair term="Reason">{appointment.reason ?? none}</DetailPair>
      <DetailPair term="Notes">{appointment.notes ?? none}</DetailPair>
    </dl>
  )
}

/** The insurance on the date of the appointment, for users who work with insurances. */
function CoveragePair({ appointment, onClose }: Pick<AppointmentDetailsProps, 'appointment' | 'onClose'>) {
  const styles = useStyles()
  const mayRead = useHasPermission('insurance')
  const { data } = useQuery({ ...appointmentQuery(appointment.id), enabled: mayRead })
  if (!data?.coverage) return null
  const { status, verificationId } = data.coverage
  return (
    <DetailPair term="Insurance">
      <StatusBadge status={status === 'unknown' ? (verificationId ? 'pending' : 'not-verified') : status} />{' '}
      <Link
        to="/insurance"
        search={verificationId ? { verification: verificationId } : { new: true, patient: appointment.patientId }}
        className={styles.link}
        onClick={onClose}
      >
        {verificationId ? 'Open the verification' : 'Verify the insurance'}
      </Link>
    </DetailPair>
  )
}

function DetailPair({ term, children }: { term: string; children: ReactNode }) {
  const styles = useStyles()
  return (
    <div style={{ display: 'contents' }}>
      <dt className={styles.term}>{term}</dt>
      <dd className={styles.value} dir="auto">
        {children}
      </dd>
    </div>
  )
}

function NextSteps({ appointment, onBookAgain }: Pick<AppointmentDetailsProps, 'appointment' | 'onBookAgain'>) {
  const styles = useStyles()
  const { setStatus, isPending } = useStatusChange()
  const steps = nextSteps[appointment.status]
  return (
    <div className={styles.steps} role="group" aria-label="Next step">
      <Text className={styles.secondary}>Next</Text>
      {steps.map(({ status, label }) => (
        <Button
          key={status}
          disabledFocusable={isPending}
          onClick={({ currentTarget }) => {
            keepFocusBeside(currentTarget)
            setStatus(appointment.id, formatName(appointment.patient), status)
          }}
        >
          {label}
        </Button>
      ))}
      {isBookedAgain(appointment) && <Button onClick={onBookAgain}>Book again</Button>}
    </div>
  )
}
