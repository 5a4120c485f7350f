import type { FluentIcon } from '@fluentui/react-icons'
import { CalendarCheckmarkRegular } from '@fluentui/react-icons/svg/calendar-checkmark'
import { CheckmarkCircleRegular } from '@fluentui/react-icons/svg/checkmark-circle'
import { DoorArrowRightRegular } from '@fluentui/react-icons/svg/door-arrow-right'
import { PersonSubtractRegular } from '@fluentui/react-icons/svg/person-subtract'
import { PlayRegular } from '@fluentui/react-icons/svg/play'
import type { AppointmentStatus } from '#contracts/values/appointments.ts'

/** A usual next status of an appointment, as an action. */
export type NextStep = { status: AppointmentStatus; label: string; icon: FluentIcon }

const confirm: NextStep = { status: 'confirmed', label: 'Confirm', icon: CalendarCheckmarkRegular }
const arrived: NextStep = { status: 'waiting', label: 'Arrived', icon: DoorArrowRightRegular }
const start: NextStep = { status: 'in-progress', label: 'Start appointment', icon: PlayRegular }
const complete: NextStep = { status: 'completed', label: 'Complete', icon: CheckmarkCircleRegular }
const missed: NextStep = { status: 'no-show', label: 'No-show', icon: PersonSubtractRegular }

/** The usual next statuses; any other status is set in Edit. */
export const nextSteps: Record<AppointmentStatus, readonly NextStep[]> = {
  scheduled: [confirm, arrived, missed],
  confirmed: [arrived, start, missed],
  waiting: [start, complete],
  'in-progress': [complete],
  completed: [],
  cancelled: [],
  'no-show': [arrived],
}
