import { addDays } from '#contracts/values/calendar.ts'
import {
  type ClosedDays,
  findDayOff,
  findHoliday,
  getDayHours,
  listPeriods,
  type WeekHours,
} from '#contracts/values/working-hours.ts'

/** The working time of a practice. `since` is the local date from which a provider counts, YYYY-MM-DD. */
export type WorkingTime = {
  week: WeekHours | null
  closures: readonly ClosedDays[]
  providers: readonly { id: string; since: string }[]
}

const toMinutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** Returns the minutes that providers worked or will work on local dates, both included. Hours count as they are now. */
export function sumWorkingMinutes({ week, closures, providers }: WorkingTime, from: string, to: string): number {
  let sum = 0
  for (let date = from; date <= to; date = addDays(date, 1)) {
    const hours = getDayHours(week, date)
    if (!hours || findHoliday({ closures }, date)) continue
    const minutes = listPeriods(hours).reduce(
      (all, period) => all + toMinutes(period.until) - toMinutes(period.from),
      0,
    )
    const working = providers.filter(({ id, since }) => since <= date && !findDayOff({ closures }, id, date)).length
    sum += minutes * working
  }
  return sum
}
