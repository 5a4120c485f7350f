import { WaitingRoom } from '../waiting-room/waiting-room.tsx'
import { WaitlistPanel } from '../waitlist/waitlist-panel.tsx'
import type { SchedulingContext } from '../scheduling-context.ts'
import type { WorkingDay } from '../working-day.ts'
import type { ScheduleDialog } from './schedule-dialogs.tsx'
import { SlotPanel } from './slot-panel.tsx'
import type { ScheduleAppointments } from './use-schedule-appointments.ts'
import type { ScheduleSearch } from './use-schedule-search.ts'

type SidePanelsProps = {
  context: SchedulingContext
  navigation: ScheduleSearch
  shown: ScheduleAppointments
  workingDay: WorkingDay
  onOpen: (dialog: ScheduleDialog) => void
  onBook: (slot: string) => void
}

/** The waiting room, the free slots and the waitlist beside the day. */
export function SidePanels({
  context,
  navigation: { date, view },
  shown: { list, providerAppointments, providerCount },
  workingDay,
  onOpen,
  onBook,
}: SidePanelsProps) {
  return (
    <>
      {date === context.today && view !== 'week' && (
        <WaitingRoom
          appointments={providerAppointments}
          now={context.now}
          onOpen={(appointment) => onOpen({ dialog: 'details', appointment })}
        />
      )}
      {view !== 'week' && (
        <SlotPanel
          appointments={list.data && providerAppointments}
          providers={Math.max(1, providerCount - workingDay.daysOff.size)}
          workingDay={workingDay}
          onPick={(slot) => onBook(slot)}
        />
      )}
      <WaitlistPanel
        context={context}
        onAdd={() => onOpen({ dialog: 'waitlist' })}
        onOpen={(entry) => onOpen({ dialog: 'waitlist-entry', entry })}
      />
    </>
  )
}
