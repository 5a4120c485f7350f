import { addDays } from '#contracts/values/calendar.ts'

const format = (date: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' }).format(Date.parse(date))

const month = { month: 'short', day: 'numeric' } as const

/** Returns a date in every form in which screens show it. */
const describeDay = (iso: string) => ({
  iso,
  /** "03-02" */
  monthDay: iso.slice(5),
  /** "Tuesday, March 2, 2027" */
  long: format(iso, { weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' }),
  /** "Mar 2, 2027" */
  medium: format(iso, { ...month, year: 'numeric' }),
  /** "Tue, Mar 2" */
  short: format(iso, { weekday: 'short', ...month }),
  /** "Tue, Mar 2, 2027" */
  full: format(iso, { weekday: 'short', ...month, year: 'numeric' }),
})

const tuesdayIndex = 2
const soon = addDays(new Date().toISOString().slice(0, 10), 60)
const tuesday = addDays(soon, (tuesdayIndex + 7 - new Date(soon).getUTCDay()) % 7)
const after = (days: number) => describeDay(addDays(tuesday, days))

/** Days about two months ahead, for tests that book appointments: working days but for Saturday. */
export const future = {
  monday: after(-1),
  tuesday: after(0),
  wednesday: after(1),
  thursday: after(2),
  saturday: after(4),
  secondTuesday: after(7),
  thirdTuesday: after(14),
  fourthTuesday: after(21),
  fourthWednesday: after(22),
  nextMonth: after(58),
}
