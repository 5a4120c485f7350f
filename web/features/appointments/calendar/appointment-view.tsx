import { CalendarLtrRegular } from '@fluentui/react-icons/svg/calendar-ltr'
import { DismissCircleRegular } from '@fluentui/react-icons/svg/dismiss-circle'
import { EditRegular } from '@fluentui/react-icons/svg/edit'
import { FilterRegular } from '@fluentui/react-icons/svg/filter'
import { OpenRegular } from '@fluentui/react-icons/svg/open'
import { type UseQueryResult, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { Appointment } from '#contracts/appointments.ts'
import type { ProviderId } from '#contracts/values/ids.ts'
import type { WorkCalendar } from '#contracts/values/working-hours.ts'
import { errorMessage } from '#web/api/call.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { createLate } from '#web/ui/late.tsx'
import type { MenuAction } from '#web/ui/menu-action.ts'
import { getLatestAppointment } from '../api.ts'
import { DaySkeleton } from '../day/day-skeleton.tsx'
import type { ProviderColumn } from '../day/day-column.tsx'
import { DayTimeline } from '../day/day-timeline.tsx'
import { colourTokens } from '#web/ui/colour-dot.tsx'
import { type SchedulingContext, selectProviders } from '../scheduling-context.ts'
import type { WorkingDay } from '../working-day.ts'
import type { ScheduleDialog } from './schedule-dialogs.tsx'
import type { View } from './appointments-search.ts'
import { useMoveAppointment } from '../day/use-move-appointment.ts'
import { isSamePlacement, type Placement, toPlacement } from '../day/placement.ts'

// The schedule opens with the timeline.
const DayList = createLate(() => import('../day/day-list.tsx').then(({ DayList: it }) => it), <DaySkeleton />)
const WeekView = createLate(() => import('./week-view.tsx').then(({ WeekView: it }) => it), <DaySkeleton />)

type AppointmentViewProps = {
  context: SchedulingContext
  list: UseQueryResult<Appointment[]>
  date: string
  view: View
  /** The appointments that match the filters, and all of the chosen provider. */
  appointments: readonly Appointment[]
  providerAppointments: readonly Appointment[]
  provider: ProviderId | undefined
  /** The working time is loading. */
  isCalendarPending: boolean
  calendar: WorkCalendar
  workingDay: WorkingDay
  onDay: (date: string) => void
  onBook: (slot?: string, providerId?: string) => void
  onOpen: (dialog: ScheduleDialog) => void
  onClear: () => void
}

/** The appointments as timeline, list or week, with the states loading, failed and empty. */
export function AppointmentView(props: AppointmentViewProps) {
  const { context, list, date, view, appointments, providerAppointments, provider, calendar, workingDay } = props
  const { onDay, onBook, onOpen, onClear } = props
  const move = useMoveQueue(onOpen)
  if (list.isPending || props.isCalendarPending) return <DaySkeleton />
  if (list.error && !list.data)
    return (
      <ErrorState
        title="Failed to fetch appointments"
        hint={errorMessage(list.error)}
        onRetry={() => void list.refetch()}
      />
    )
  const open = (appointment: Appointment) => onOpen({ dialog: 'details', appointment })
  const edit = ({ id }: Appointment) => onOpen({ dialog: 'edit', appointmentId: id })
  const cancel = (appointment: Appointment) => onOpen({ dialog: 'cancel', appointment })
  if (view === 'week')
    return (
      <WeekView
        date={date}
        today={context.today}
        appointments={appointments}
        providers={selectProviders(context.allProviders, provider)}
        calendar={calendar}
        onDay={onDay}
        onOpen={open}
      />
    )
  if (appointments.length === 0 && providerAppointments.length > 0)
    return (
      <EmptyState
        icon={FilterRegular}
        title="No appointments match the filter"
        hint={
          providerAppointments.length === 1
            ? 'There is 1 on this day.'
            : `There are ${providerAppointments.length} on this day.`
        }
        action="Clear filters"
        onAction={onClear}
      />
    )
  if (appointments.length === 0)
    return (
      <EmptyState
        icon={CalendarLtrRegular}
        title="No appointments scheduled for this date"
        hint={describeEmptyDay(workingDay)}
        action="Schedule First Appointment"
        onAction={() => onBook()}
      />
    )
  const getActions = (appointment: Appointment): MenuAction[] => [
    { label: 'View Details', icon: OpenRegular, onClick: () => open(appointment) },
    { label: 'Edit', icon: EditRegular, onClick: () => edit(appointment) },
    { label: 'Cancel', icon: DismissCircleRegular, danger: true, onClick: () => cancel(appointment) },
  ]
  if (view === 'list')
    return (
      <DayList context={context} appointments={appointments} getActions={getActions} onOpen={open} onCancel={cancel} />
    )
  return (
    <DayTimeline
      columns={toColumns(context, appointments, provider, workingDay)}
      all={appointments}
      workingDay={workingDay}
      {...(date === context.today ? { now: context.time } : {})}
      isBookable={date >= context.today && appointments.length === providerAppointments.length}
      getActions={getActions}
      onOpen={open}
      onEdit={edit}
      onBook={onBook}
      onMove={move}
    />
  )
}

/** Describes a day without appointments: "All thirteen slots are free.", "Closed: Thanksgiving." */
function describeEmptyDay({ slots, notes }: WorkingDay): string {
  if (slots.length === 0) return `${notes.join('. ')}.`
  return slots.length === 13 ? 'All thirteen slots are free.' : `All ${slots.length} slots are free.`
}

/** Returns a column for every active provider, and for former ones who have appointments on the day. */
function toColumns(
  { allProviders }: SchedulingContext,
  appointments: readonly Appointment[],
  filtered: ProviderId | undefined,
  { daysOff }: WorkingDay,
): ProviderColumn[] {
  const withAppointments = new Set(appointments.map(({ providerId }) => providerId))
  return allProviders
    .filter(({ id, active }) => (filtered ? id === filtered : active || withAppointments.has(id)))
    .map(({ id, name, colour, active }) => ({
      providerId: id,
      name,
      colour: colourTokens[colour],
      active,
      isOff: daysOff.has(id),
      appointments: appointments.filter(({ providerId }) => providerId === id),
    }))
}

/**
 * Returns a function that moves appointments one after the other: each move starts from the result of the previous one, and
 * does nothing if that is where the appointment is already.
 */
function useMoveQueue(onOpen: (dialog: ScheduleDialog) => void) {
  const queries = useQueryClient()
  const moveAppointment = useMoveAppointment((rejected) => onOpen({ dialog: 'move', rejected }))
  const queue = useRef(Promise.resolve())
  return (shown: Appointment, to: Placement): Promise<void> => {
    queue.current = queue.current.then(async () => {
      const appointment = getLatestAppointment(queries, shown)
      if (isSamePlacement(toPlacement(appointment), to)) return
      if (appointment.seriesId) onOpen({ dialog: 'series-scope', move: { appointment, to } })
      else await moveAppointment(appointment, to)
    })
    return queue.current
  }
}
