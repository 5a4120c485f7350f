import { formatName } from '#web/ui/format.ts'
import { formatTime } from '#web/ui/dates.ts'
import { Button, Link as FluentLink, makeStyles, Text, tokens } from '@fluentui/react-components'
import { SquareMultiple16Regular } from '@fluentui/react-icons/svg/square-multiple'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Appointment } from '#contracts/appointments.ts'
import type { WaitlistEntry } from '#contracts/waitlist.ts'
import { useHasPermission } from '#web/entities/accounts/current-user.ts'
import { DemoBadge } from '#web/entities/sample-data/demo-badge.tsx'
import { DialogFrame } from '#web/ui/dialog-frame.tsx'
import { RecordId } from '#web/ui/person.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { keepFocusBeside } from '#web/ui/use-focus-return.ts'
import { appointmentQuery } from '#web/entities/appointments/appointment-query.ts'
import { isBookedAgain } from './book-again.ts'
import { ClinicalPairs } from './clinical-pairs.tsx'
import { FormsPair } from './forms-pair.tsx'
import { QuestionPair } from './question-pair.tsx'
import { formatLongDate } from '../calendar-dates.ts'
import { DetailList, DetailPair } from '../detail-list.tsx'
import { type SchedulingContext, findProviderName } from '../scheduling-context.ts'
import { SeriesAppointmentList } from '../series/series-appointment-list.tsx'
import { useEarlierWish } from '../waitlist/use-waiting-entry.ts'
import { mayBecomeEarlier } from '../waitlist/wishes.ts'
import { nextSteps } from '#web/entities/appointments/next-steps.ts'
import { useStatusChange } from '#web/entities/appointments/use-status-change.ts'
import { AppointmentTypeLabel } from '#web/entities/appointments/appointment-type-label.tsx'

const useStyles = makeStyles({
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
  /** Opens the entry of the waitlist for an earlier time, or adds one. */
  onWaitlist: (entry: WaitlistEntry | null) => void
  /** Opens another appointment of the same series. */
  onAppointment: (appointment: Appointment) => void
  onClose: () => void
}

/** Details of one appointment, with buttons for its next status. */
export function AppointmentDetails(props: AppointmentDetailsProps) {
  const { context, appointment, onEdit, onBookAgain, onWaitlist, onClose } = props
  const earlier = useEarlierWish(appointment.id)
  return (
    <DialogFrame
      title="Appointment Details"
      closeLabel="Close"
      actions={
        <>
          {!earlier && mayBecomeEarlier(appointment, context.now) && (
            <Button onClick={() => onWaitlist(null)}>Wants an earlier time</Button>
          )}
          <Button appearance="primary" onClick={onEdit}>
            Edit
          </Button>
        </>
      }
      onClose={onClose}
    >
      <DetailPairs {...props} earlier={earlier} />
      <NextSteps appointment={appointment} onBookAgain={onBookAgain} />
    </DialogFrame>
  )
}

type DetailPairsProps = Pick<
  AppointmentDetailsProps,
  'context' | 'appointment' | 'onAppointment' | 'onWaitlist' | 'onClose'
> & { earlier: WaitlistEntry | undefined }

function DetailPairs({ context, appointment, earlier, onAppointment, onWaitlist, onClose }: DetailPairsProps) {
  const styles = useStyles()
  const { seriesId } = appointment
  return (
    <DetailList>
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
      <QuestionPair appointmentId={appointment.id} onClose={onClose} />
      <FormsPair appointment={appointment} onClose={onClose} />
      <CoveragePair appointment={appointment} onClose={onClose} />
      <ClinicalPairs appointment={appointment} now={context.now} onClose={onClose} />
      <DetailPair term="Provider">{findProviderName(context, appointment.providerId)}</DetailPair>
      {earlier && (
        <DetailPair term="Waitlist">
          <FluentLink onClick={() => onWaitlist(earlier)}>Wants an earlier time</FluentLink>
        </DetailPair>
      )}
      {seriesId && (
        <DetailPair term="Repeats">
          <SeriesAppointmentList appointment={appointment} seriesId={seriesId} onAppointment={onAppointment} />
        </DetailPair>
      )}
      <DetailPair term="Reason">{appointment.reason}</DetailPair>
      <DetailPair term="Notes">{appointment.notes}</DetailPair>
    </DetailList>
  )
}

/** The insurance on the date of the appointment, for users who work with insurances. */
function CoveragePair({ appointment, onClose }: Pick<AppointmentDetailsProps, 'appointment' | 'onClose'>) {
  const styles = useStyles()
  const mayRead = useHasPermission('insurance')
  const { data } = useQuery({ ...appointmentQuery(appointment.id), enabled: mayRead })
  if (!data?.coverage) return null
  const { status, verificationId, isOtherPolicy } = data.coverage
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
      {isOtherPolicy && <div className={styles.secondary}>Another insurance is in the record of the patient.</div>}
    </DetailPair>
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
