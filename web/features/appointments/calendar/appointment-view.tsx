import {
  CalendarLtrRegular,
  DismissCircleRegular,
  EditRegular,
  FilterRegular,
  OpenRegular,
} from '@fluentui/react-icons'
import { type UseQueryResult, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { Appointment } from '#contracts/appointments.ts'
import type { ProviderId } from '#contracts/values/ids.ts'
import { errorMessage } from '#web/api/call.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import type { RowAction } from '#web/ui/row-menu.tsx'
import { getLatestAppointment } from '../api.ts'
import { DayList } from '../day/day-list.tsx'
import { DaySkeleton } from '../day/day-skeleton.tsx'
import { type ProviderColumn, DayTimeline } from '../day/day-timeline.tsx'
import { providerColours } from '#web/entities/providers/providers.ts'
import type { SchedulingContext } from '../scheduling-context.ts'
import type { ScheduleDialog } from './schedule-dialogs.tsx'
import type { View } from './appointments-search.ts'
import { useMoveAppointment } from '../day/use-move-appointment.ts'
import type { Placement } from '../day/use-appointment-drag.ts'
import { WeekView } from './week-view.tsx'

type AppointmentsOfProps = {
  desk: SchedulingContext
  list: UseQueryResult<Appointment[]>
  date: string
  view: View
  /** Those that are asked for, and all of the chosen provider. */
  appointments: readonly Appointment[]
  ofProvider: readonly Appointment[]
  provider: ProviderId | undefined
  onDay: (date: string) => void
  onBook: (slot?: string, providerId?: string) => void
  onOpen: (opened: ScheduleDialog) => void
  onClear: () => void
}

/** The appointments in all their states: on their way, not to be had, none, some; as time, as a list, as a week. */
export function AppointmentView(props: AppointmentsOfProps) {
  const { desk, list, date, view, appointments, ofProvider, provider, onDay, onBook, onOpen, onClear } = props
  const queries = useQueryClient()
  const placeAppointment = useMoveAppointment((refused) => onOpen({ dialog: 'move', refused }))

  const queue = useRef(Promise.resolve())
  /** One after the other: the second is made on what the first has made of the appointment. */
  const place = (seen: Appointment, to: Placement): Promise<void> => {
    queue.current = queue.current.then(async () => {
      const appointment = getLatestAppointment(queries, seen)
      if (appointment.seriesId) onOpen({ dialog: 'scope', asked: { appointment, to } })
      else await placeAppointment(appointment, to)
    })
    return queue.current
  }

  if (list.isPending) return <DaySkeleton />
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
        today={desk.today}
        appointments={appointments}
        providers={provider ? 1 : Math.max(1, desk.activeProviders.length)}
        onDay={onDay}
        onOpen={open}
      />
    )
  if (appointments.length === 0 && ofProvider.length > 0)
    return (
      <EmptyState
        icon={FilterRegular}
        title="No appointments match the filter"
        hint={ofProvider.length === 1 ? 'There is 1 on this day.' : `There are ${ofProvider.length} on this day.`}
        action="Clear filters"
        onAction={onClear}
      />
    )
  if (appointments.length === 0)
    return (
      <EmptyState
        icon={CalendarLtrRegular}
        title="No appointments scheduled for this date"
        hint="All thirteen slots are free."
        action="Schedule First Appointment"
        onAction={() => onBook()}
      />
    )
  const actionsOf = (appointment: Appointment): RowAction[] => [
    { label: 'View Details', icon: OpenRegular, onClick: () => open(appointment) },
    { label: 'Edit', icon: EditRegular, onClick: () => edit(appointment) },
    { label: 'Cancel', icon: DismissCircleRegular, danger: true, onClick: () => cancel(appointment) },
  ]
  if (view === 'list')
    return <DayList desk={desk} appointments={appointments} actionsOf={actionsOf} onOpen={open} onCancel={cancel} />
  const there = new Set(appointments.map(({ providerId }) => providerId))
  const columns: ProviderColumn[] = desk.allProviders
    .filter(({ id, active }) => (provider ? id === provider : active || there.has(id)))
    .map(({ id, name, colour, active }) => ({
      providerId: id,
      name,
      colour: providerColours[colour],
      active,
      appointments: appointments.filter(({ providerId }) => providerId === id),
    }))
  return (
    <DayTimeline
      columns={columns}
      all={appointments}
      {...(date === desk.today ? { now: desk.time } : {})}
      bookable={date >= desk.today && appointments.length === ofProvider.length}
      actionsOf={actionsOf}
      onOpen={open}
      onEdit={edit}
      onBook={onBook}
      onPlace={place}
    />
  )
}
