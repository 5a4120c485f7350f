import { daySlots } from '#contracts/values/appointments.ts'
import {
  type ClosedDays,
  type DayHours,
  findDayOff,
  findHoliday,
  getDayHours,
  listDaySlots,
  type WorkCalendar,
} from '#contracts/values/working-hours.ts'

/** The working time of one day, for the providers on screen. */
export type WorkingDay = {
  /** The start times that are offered, HH:mm; none when the practice is closed or every provider is off. */
  slots: readonly string[]
  /** The hours that are drawn; null as long as the practice has set none. */
  hours: DayHours | null
  /** True for a holiday or a weekday without work. */
  isClosed: boolean
  /** The reasons that there is no work, or less: "Closed: Thanksgiving", "Ada Okafor is off: Conference". */
  notes: readonly string[]
  /** The providers who are off, each with the reason or an empty text. */
  daysOff: ReadonlyMap<string, string>
}

type NamedProvider = { id: string; name: string }

const withReason = (text: string, reason: string | null) => (reason ? `${text}: ${reason}` : text)

/** Returns the working time of a date. Until a practice sets its hours, a weekend has slots and is only drawn as closed. */
export function getWorkingDay(calendar: WorkCalendar, date: string, providers: readonly NamedProvider[]): WorkingDay {
  const holiday = findHoliday(calendar, date)
  const hours = getDayHours(calendar.week, date)
  const off = providers.flatMap((provider): { provider: NamedProvider; closure: ClosedDays }[] => {
    const closure = findDayOff(calendar, provider.id, date)
    return closure ? [{ provider, closure }] : []
  })
  const isEveryoneOff = providers.length > 0 && off.length === providers.length
  const closedNote = holiday ? withReason('Closed', holiday.name) : hours || !calendar.week ? null : 'Closed'
  return {
    slots: isEveryoneOff ? [] : listDaySlots(calendar, date),
    hours: calendar.week && hours,
    isClosed: holiday !== undefined || hours === null,
    notes: closedNote
      ? [closedNote]
      : off.map(({ provider, closure }) => withReason(`${provider.name} is off`, closure.name)),
    daysOff: new Map(off.map(({ provider, closure }) => [provider.id, closure.name ?? ''])),
  }
}

/** Returns the start times that a form offers on a date: also on holidays and closed days, when booking is an exception. */
export function listFormSlots({ week }: WorkCalendar, date: string): readonly string[] {
  const slots = listDaySlots({ week, closures: [] }, date)
  return slots.length === 0 ? daySlots : slots
}
