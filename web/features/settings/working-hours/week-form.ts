import type { WorkingHours } from '#contracts/working-hours.ts'
import { type DayHours, defaultWeek, type Period, Weekday, type WeekHours } from '#contracts/values/working-hours.ts'
import type { FormFields } from '#web/forms/three-way-merge.ts'
import { formatTime } from '#web/ui/dates.ts'

/** The inputs of one weekday. A closed day keeps its times, for when it is opened again. */
export type DayValues = { isOpen: boolean; opens: string; closes: string; breaks: Period[] }

/** The inputs of the week. */
export type WeekValues = Record<Weekday, DayValues>

export const weekdayLabels: Record<Weekday, string> = {
  monday: 'Monday',
  tuesday: 'Tuesday',
  wednesday: 'Wednesday',
  thursday: 'Thursday',
  friday: 'Friday',
  saturday: 'Saturday',
  sunday: 'Sunday',
}

const mapWeek = <Value>(map: (weekday: Weekday) => Value): Record<Weekday, Value> =>
  Object.fromEntries(Weekday.options.map((weekday) => [weekday, map(weekday)])) as Record<Weekday, Value>

// A time input has no 24:00: midnight at the end of a day is typed as 12:00 AM.
const toEndInput = (time: string) => (time === '24:00' ? '00:00' : time)
const fromEndInput = (time: string) => (time === '00:00' ? '24:00' : time)

/** The times that a closed day gets when it is opened. */
const openedDay = { opens: defaultWeek.monday?.opens ?? '', closes: defaultWeek.monday?.closes ?? '', breaks: [] }

const toDayValues = (hours: DayHours | null): DayValues => {
  const { opens, closes, breaks } = hours ?? openedDay
  return {
    isOpen: hours !== null,
    opens,
    closes: toEndInput(closes),
    breaks: breaks.map(({ from, until }) => ({ from, until: toEndInput(until) })),
  }
}

const toDayHours = ({ isOpen, opens, closes, breaks }: DayValues): DayHours | null =>
  isOpen
    ? {
        opens,
        closes: fromEndInput(closes),
        breaks: breaks.map(({ from, until }) => ({ from, until: fromEndInput(until) })),
      }
    : null

const toHours = (values: WeekValues) => mapWeek((weekday) => toDayHours(values[weekday]))

export const toWeekValues = ({ hours }: WorkingHours): WeekValues => mapWeek((weekday) => toDayValues(hours[weekday]))

export const weekFields: FormFields<WeekValues, Weekday> = {
  inputs: mapWeek((weekday) => [weekday]),
  normalize: toHours,
}

/** Returns the weekdays that differ, as the contract expects them. */
export function toWeekChange(before: WeekValues, after: WeekValues): { hours: Partial<WeekHours> } {
  const [was, is] = [toHours(before), toHours(after)]
  const changed = Weekday.options.filter((weekday) => JSON.stringify(was[weekday]) !== JSON.stringify(is[weekday]))
  return { hours: Object.fromEntries(changed.map((weekday) => [weekday, is[weekday]])) }
}

/** Returns the input of a field of the contract: "hours.monday.closes" is typed in "monday.closes". */
export const toWeekInput = (path: string): string => path.replace(/^hours\./, '')

const formatPeriod = ({ from, until }: Period) => `${formatTime(from)} to ${formatTime(toEndInput(until))}`

/** Formats the hours of a day: "8:00 AM to 4:00 PM, break 12:00 PM to 1:00 PM". */
export function formatDayHours(hours: DayHours | null): string {
  if (hours === null) return 'Closed'
  const { opens, closes, breaks } = hours
  return [formatPeriod({ from: opens, until: closes }), ...breaks.map((each) => `break ${formatPeriod(each)}`)].join(
    ', ',
  )
}

const hour = (time: string) => Number(time.slice(0, 2))
const fromHour = (value: number) => `${String(value).padStart(2, '0')}:00`

/** Returns the break that is suggested next: an hour at noon, or after the last break; before the practice closes. */
export function suggestBreak({ opens, closes, breaks }: DayValues): Period {
  const last = breaks.at(-1)
  const wanted = last ? hour(last.until) + 1 : Math.max(12, hour(opens) + 1)
  // Midnight is shown as the start of a day.
  const end = hour(closes) || 24
  const from = Math.max(hour(opens), Math.min(wanted, end - 2, 22))
  return { from: fromHour(from), until: fromHour(from + 1) }
}
