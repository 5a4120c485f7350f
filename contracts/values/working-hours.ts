import { z } from 'zod'
import { daySlots } from './appointments.ts'

export const Weekday = z.enum(['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'])
export type Weekday = z.infer<typeof Weekday>

const timeMessage = 'Please enter a time'
const Time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, timeMessage)
const ClosingTime = z.string().regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, timeMessage)

/** A part of a day, in local times of the practice, HH:mm; `until` is exclusive. */
export type Period = { from: string; until: string }

/** The working hours of a weekday, in local times of the practice. A day may close at 24:00. */
export type DayHours = { opens: string; closes: string; breaks: readonly Period[] }

/** The most breaks of one day. */
export const maxBreaks = 6

type HoursError = { path: (string | number)[]; message: string }

/** Finds what is wrong with the hours of a day, each at its field. */
export function findHoursErrors({ opens, closes, breaks }: DayHours): HoursError[] {
  if (closes <= opens) return [{ path: ['closes'], message: 'Must be after the opening time' }]
  const errors = breaks.flatMap(({ from, until }, index): HoursError[] => {
    if (until <= from) return [{ path: ['breaks', index, 'until'], message: 'Must be after the start of the break' }]
    if (from < opens) return [{ path: ['breaks', index, 'from'], message: 'Must be within the working hours' }]
    if (until > closes) return [{ path: ['breaks', index, 'until'], message: 'Must be within the working hours' }]
    const overlapping = breaks.slice(0, index).some((other) => other.from < until && from < other.until)
    return overlapping ? [{ path: ['breaks', index, 'from'], message: 'Overlaps another break' }] : []
  })
  if (errors.length > 0) return errors
  const sorted = breaks.toSorted((a, b) => (a.from < b.from ? -1 : 1))
  if (listPeriods({ opens, closes, breaks: sorted }).length > 0) return []
  return [{ path: ['breaks', breaks.length - 1, 'until'], message: 'This leaves no working time' }]
}

/** The hours of a day as they are sent: breaks are put in the order of their times. */
export const DayHours = z
  .strictObject({
    opens: Time,
    closes: ClosingTime,
    breaks: z.array(z.strictObject({ from: Time, until: ClosingTime })).max(maxBreaks, `At most ${maxBreaks} breaks`),
  })
  .superRefine((hours, context) => {
    for (const { path, message } of findHoursErrors(hours)) context.addIssue({ code: 'custom', path, message })
  })
  .transform((hours) => ({ ...hours, breaks: hours.breaks.toSorted((a, b) => (a.from < b.from ? -1 : 1)) }))

/** The working hours by weekday; null for a day on which the practice is closed. */
export type WeekHours = Readonly<Record<Weekday, DayHours | null>>

const defaultDay: DayHours = { opens: '09:00', closes: '17:30', breaks: [{ from: '12:00', until: '14:00' }] }

/** The hours that are shown until a practice sets its own: they contain the slots of the specification. */
export const defaultWeek: WeekHours = {
  monday: defaultDay,
  tuesday: defaultDay,
  wednesday: defaultDay,
  thursday: defaultDay,
  friday: defaultDay,
  saturday: null,
  sunday: null,
}

/** Days on which the practice (`providerId` null: a holiday) or one provider does not work; dates YYYY-MM-DD, both included. */
export type ClosedDays = { providerId: string | null; name: string | null; from: string; until: string }

/**
 * The working time of a practice. `week` is null until it sets working hours: then only weekends are closed,
 * the slots are those of the specification, and no other time is asked about.
 */
export type WorkCalendar<Closure extends ClosedDays = ClosedDays> = {
  week: WeekHours | null
  closures: readonly Closure[]
}

/** The calendar of a practice that has set nothing. */
export const defaultCalendar: WorkCalendar<never> = { week: null, closures: [] }

/** Returns the weekday of a date, YYYY-MM-DD. */
export function getWeekday(date: string): Weekday {
  const sundayFirst = new Date(`${date}T00:00:00.000Z`).getUTCDay()
  return Weekday.options[(sundayFirst + 6) % 7] ?? 'sunday'
}

/** Returns the hours of a date by its weekday alone; null when it is closed. */
export const getDayHours = (week: WeekHours | null, date: string): DayHours | null =>
  (week ?? defaultWeek)[getWeekday(date)]

/** Returns the holiday of the practice on a date. */
export const findHoliday = <Closure extends ClosedDays>(
  { closures }: Pick<WorkCalendar<Closure>, 'closures'>,
  date: string,
): Closure | undefined => closures.find((each) => each.providerId === null && each.from <= date && date <= each.until)

/** Returns the days off of a provider that contain a date. */
export const findDayOff = <Closure extends ClosedDays>(
  { closures }: Pick<WorkCalendar<Closure>, 'closures'>,
  providerId: string,
  date: string,
): Closure | undefined =>
  closures.find((each) => each.providerId === providerId && each.from <= date && date <= each.until)

/** Returns the times between the breaks of a day. */
export function listPeriods({ opens, closes, breaks }: DayHours): Period[] {
  const starts = [opens, ...breaks.map(({ until }) => until)]
  const ends = [...breaks.map(({ from }) => from), closes]
  return starts.map((from, index) => ({ from, until: ends[index] ?? closes })).filter(({ from, until }) => from < until)
}

const slotMinutes = 30

/** Converts HH:mm to minutes after midnight. */
const toMinutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
const toTime = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

/** Returns the half hours of a period, from its start on, that fit in `minutes` before its end. */
export function listStarts({ from, until }: Period, minutes: number): string[] {
  const last = toMinutes(until) - minutes
  const count = Math.max(0, Math.floor((last - toMinutes(from)) / slotMinutes) + 1)
  return Array.from({ length: count }, (_, n) => toTime(toMinutes(from) + n * slotMinutes))
}

/**
 * Returns the start times that are offered on a date: half hours within the working hours; those of the specification until
 * the practice sets its hours. A weekend keeps the latter, as the practice may work then; holidays have none.
 */
export function listDaySlots(calendar: WorkCalendar, date: string): readonly string[] {
  if (findHoliday(calendar, date)) return []
  if (calendar.week === null) return daySlots
  const hours = getDayHours(calendar.week, date)
  return hours === null ? [] : listPeriods(hours).flatMap((period) => listStarts(period, slotMinutes))
}
