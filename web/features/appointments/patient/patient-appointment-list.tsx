import { formatTime } from '#web/ui/dates.ts'
import { makeStyles, Skeleton, SkeletonItem, tokens } from '@fluentui/react-components'
import { CalendarLtrRegular } from '@fluentui/react-icons/svg/calendar-ltr'
import { DismissCircleRegular } from '@fluentui/react-icons/svg/dismiss-circle'
import { EditRegular } from '@fluentui/react-icons/svg/edit'
import { OpenRegular } from '@fluentui/react-icons/svg/open'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useId, useState } from 'react'
import type { Appointment } from '#contracts/appointments.ts'
import { errorMessage } from '#web/api/call.ts'
import { AppointmentTypeLabel } from '#web/entities/appointments/appointment-type-label.tsx'
import { patientAppointmentsQuery } from '#web/entities/appointments/patient-appointments.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Pager } from '#web/ui/pager.tsx'
import { RowMenu } from '#web/ui/action-menu.tsx'
import type { MenuAction } from '#web/ui/menu-action.ts'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { SecondaryText, TwoLineCell } from '#web/ui/text.tsx'
import { formatMediumDate, formatShortWeekday } from '../calendar-dates.ts'
import type { ScheduleDialog } from '../calendar/schedule-dialogs.tsx'
import { findProviderName, type SchedulingContext } from '../scheduling-context.ts'
import { pageSize } from './page-size.ts'

const useStyles = makeStyles({
  title: { margin: 0, fontSize: tokens.fontSizeBase200, fontWeight: tokens.fontWeightSemibold },
  list: { listStyleType: 'none', margin: '4px 0 0', padding: 0 },
  row: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) 32px',
    columnGap: '4px',
    alignItems: 'center',
    ':not(:first-child)': { borderTop: `1px solid ${tokens.colorNeutralStroke3}` },
  },
  open: {
    display: 'grid',
    gridTemplateColumns: '136px minmax(0, 1fr) auto',
    columnGap: '8px',
    alignItems: 'center',
    padding: '6px 8px',
    margin: '2px 0 2px -8px',
    border: 'none',
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: 'transparent',
    color: 'inherit',
    font: 'inherit',
    textAlign: 'start',
    cursor: 'pointer',
    fontVariantNumeric: 'tabular-nums',
    ':hover': { backgroundColor: tokens.colorSubtleBackgroundHover },
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}` },
    '@media (max-width: 639px)': { gridTemplateColumns: '124px minmax(0, 1fr)' },
  },
  status: { '@media (max-width: 639px)': { gridColumn: 2 } },
  pager: {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'space-between',
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
  },
  loading: { display: 'grid', rowGap: '8px' },
})

/** Placeholder of the list while it is loading. */
export function AppointmentListSkeleton() {
  return (
    <Skeleton className={useStyles().loading} aria-label="Loading appointments">
      <SkeletonItem size={40} />
      <SkeletonItem size={40} />
    </Skeleton>
  )
}

type PatientAppointmentListProps = {
  context: SchedulingContext
  patientId: string
  period: 'upcoming' | 'past'
  title: string
  emptyText: string
  onOpen: (dialog: ScheduleDialog) => void
}

/** One page of a patient's coming or past appointments. */
export function PatientAppointmentList(props: PatientAppointmentListProps) {
  const { patientId, period, title, emptyText, context, onOpen } = props
  const styles = useStyles()
  const titleId = useId()
  const [page, setPage] = useState(1)
  const { data, error, refetch } = useQuery(patientAppointmentsQuery({ patientId, period, page, pageSize }))
  const lastPage = data ? Math.max(1, Math.ceil(data.total / pageSize)) : page
  // The last appointment on the last page was cancelled or moved.
  if (page > lastPage) setPage(lastPage)
  return (
    <section aria-labelledby={titleId}>
      <h4 id={titleId} className={styles.title}>
        {title}
      </h4>
      {!data && !error && <AppointmentListSkeleton />}
      {!data && error && (
        <ErrorState
          isCompact
          title="Failed to fetch appointments"
          hint={errorMessage(error)}
          onRetry={() => void refetch()}
        />
      )}
      {data?.total === 0 && <SecondaryText as="p">{emptyText}</SecondaryText>}
      {data && data.total > 0 && (
        <ul className={styles.list}>
          {data.items.map((appointment) => (
            <AppointmentRow key={appointment.id} context={context} appointment={appointment} onOpen={onOpen} />
          ))}
        </ul>
      )}
      {data && data.total > pageSize && (
        <div className={styles.pager}>
          <Pager page={page} pageSize={pageSize} total={data.total} onPage={setPage} />
        </div>
      )}
    </section>
  )
}

type AppointmentRowProps = Pick<PatientAppointmentListProps, 'context' | 'onOpen'> & { appointment: Appointment }

function AppointmentRow({ context, appointment, onOpen }: AppointmentRowProps) {
  const styles = useStyles()
  const navigate = useNavigate()
  const { id, localDate, localTime, duration, status, type, reason, providerId } = appointment
  const date = `${formatShortWeekday(localDate)}, ${formatMediumDate(localDate)}`
  const provider = context.allProviders.length > 1 ? findProviderName(context, providerId) : null
  const details = [provider, reason].filter(Boolean).join(', ')
  const open = () => onOpen({ dialog: 'details', appointment })
  const actions: MenuAction[] = [
    { label: 'View Details', icon: OpenRegular, onClick: open },
    { label: 'Move or edit', icon: EditRegular, onClick: () => onOpen({ dialog: 'edit', appointmentId: id }) },
    {
      label: 'Show in calendar',
      icon: CalendarLtrRegular,
      onClick: () => void navigate({ to: '/appointments', search: { date: localDate, provider: 'all' } }),
    },
    {
      label: 'Cancel',
      icon: DismissCircleRegular,
      danger: true,
      onClick: () => onOpen({ dialog: 'cancel', appointment }),
    },
  ]
  return (
    <li className={styles.row} data-focus-key={id}>
      <button type="button" className={styles.open} onClick={open}>
        <TwoLineCell top={date} bottom={`${formatTime(localTime)}, ${duration} min`} />
        <TwoLineCell top={<AppointmentTypeLabel type={type} />} bottom={details} />
        <span className={styles.status}>
          <StatusBadge status={status} plain />
        </span>
      </button>
      <RowMenu name={`${date}, ${formatTime(localTime)}`} actions={actions} />
    </li>
  )
}
