import { type ClosedDays, defaultWeek, listPeriods, Weekday, type WeekHours } from '#contracts/values/working-hours.ts'

const dayMs = 86_400_000

/** The working time of a practice. `since` is the local date from which a provider counts, YYYY-MM-DD. */
export type WorkingTime = {
  week: WeekHours | null
  closures: readonly ClosedDays[]
  providers: readonly { id: string; since: string }[]
}

const toMinutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** Returns the working minutes of each weekday, Monday first. */
const measureWeek = (week: WeekHours | null): number[] =>
  Weekday.options.map((day) => {
    const hours = (week ?? defaultWeek)[day]
    if (!hours) return 0
    return listPeriods(hours).reduce((all, { from, until }) => all + toMinutes(until) - toMinutes(from), 0)
  })

/** A Monday before all dates, in days before 1970. */
const firstMonday = 700_003

/** Returns the number of a date, counted from a Monday. */
const toDayNumber = (date: string): number => Math.floor(Date.parse(date) / dayMs) + firstMonday

/**
 * Returns the minutes that providers worked or will work on local dates, both included. Hours count as they are now. Weeks are
 * multiplied and only the closed days gone through, because a period may have ten years.
 */
export function sumWorkingMinutes({ week, closures, providers }: WorkingTime, from: string, to: string): number {
  const minutes = measureWeek(week)
  const ofWeek = minutes.reduce((all, each) => all + each, 0)
  const ofDay = (day: number) => minutes[day % 7] ?? 0
  const last = toDayNumber(to)

  function sumDays(first: number): number {
    const weeks = Math.floor((last - first + 1) / 7)
    let sum = weeks * ofWeek
    for (let day = first + weeks * 7; day <= last; day++) sum += ofDay(day)
    return sum
  }

  return providers.reduce((all, { id, since }) => {
    const first = toDayNumber(since > from ? since : from)
    if (first > last) return all
    const closed = new Set<number>()
    for (const closure of closures) {
      if (closure.providerId !== null && closure.providerId !== id) continue
      const until = Math.min(toDayNumber(closure.until), last)
      for (let day = Math.max(toDayNumber(closure.from), first); day <= until; day++) closed.add(day)
    }
    return all + sumDays(first) - [...closed].reduce((sum, day) => sum + ofDay(day), 0)
  }, 0)
}
