import type { InsightBasis } from '#contracts/insights.ts'
import { addDays } from '#contracts/values/calendar.ts'
import { maxBasedOn } from '#contracts/values/insights.ts'
import {
  type ClosedDays,
  findDayOff,
  findHoliday,
  getDayHours,
  getWeekday,
  listPeriods,
  Weekday,
  type WeekHours,
} from '#contracts/values/working-hours.ts'
import { formatDay, type Suggestion } from './suggestion.ts'

/** The days before today whose use is looked at: six weeks. */
export const observedDays = 42

/** The fewest days on which half a weekday was worked to judge it. */
const minDays = 4
/** The use below which half a weekday counts as empty, as long as the rest of the week has more. */
const lowUse = 0.5
const veryLowUse = 0.25

/** The part of a day before or after noon. */
export type HalfDay = 'morning' | 'afternoon'

/** Minutes booked within `observedDays`; `weekday` counts from 1, Monday. */
type BookedTime = { weekday: number; half: HalfDay; minutes: number }

/** The working time of a practice and its use. `today` is its local date; `practice` is null until it is known. */
export type WorkingTime = {
  today: string
  practice: {
    week: WeekHours | null
    providers: readonly { id: string; since: string }[]
    closures: readonly Pick<ClosedDays, 'providerId' | 'from' | 'until'>[]
  } | null
  booked: readonly BookedTime[]
}

/** Half a weekday: the minutes that could have been booked and those that were, and the dates with working time. */
type HalfDayUse = { weekday: Weekday; half: HalfDay; available: number; booked: number; dates: string[] }

/** An insight about half a weekday, its `subject`, such as `wednesday-afternoon`. */
export type EmptyHours = { subject: string; grounds: string[]; suggestion: Suggestion }

const noon = 12 * 60
const toMinutes = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** Returns the working minutes of a date before and after noon. */
function measureHalves(week: WeekHours | null, date: string): Record<HalfDay, number> {
  const hours = getDayHours(week, date)
  const halves = { morning: 0, afternoon: 0 }
  for (const period of hours ? listPeriods(hours) : []) {
    const [from, until] = [toMinutes(period.from), toMinutes(period.until)]
    halves.morning += Math.max(0, Math.min(until, noon) - from)
    halves.afternoon += Math.max(0, until - Math.max(from, noon))
  }
  return halves
}

/** Measures the use of every half weekday before today. Hours and providers count as they are now. */
function measureUse({ today, practice, booked }: WorkingTime): HalfDayUse[] {
  if (!practice) return []
  const { week, providers, closures: ranges } = practice
  const closures = ranges.map((range) => ({ ...range, name: null }))
  const uses = new Map<string, HalfDayUse>()
  for (let ago = observedDays; ago > 0; ago--) {
    const date = addDays(today, -ago)
    if (findHoliday({ closures }, date)) continue
    const working = providers.filter(({ id, since }) => since <= date && !findDayOff({ closures }, id, date)).length
    const weekday = getWeekday(date)
    const minutes = measureHalves(week, date)
    for (const half of ['morning', 'afternoon'] as const) {
      const available = minutes[half] * working
      if (available === 0) continue
      const use = uses.get(`${weekday}-${half}`) ?? { weekday, half, available: 0, booked: 0, dates: [] }
      uses.set(`${weekday}-${half}`, { ...use, available: use.available + available, dates: [...use.dates, date] })
    }
  }

  const bookedMinutes = new Map(
    booked.map(({ weekday, half, minutes }) => [`${Weekday.options[weekday - 1]}-${half}`, minutes]),
  )
  return [...uses].map(([key, use]) => ({ ...use, booked: bookedMinutes.get(key) ?? 0 }))
}

const sum = (uses: readonly HalfDayUse[], of: 'available' | 'booked') => uses.reduce((total, use) => total + use[of], 0)
const toPercent = (share: number) => `${Math.round(share * 100)}%`

/** Finds the half weekdays that stay empty in a practice that is otherwise used, Monday morning first. */
export function findEmptyHours(time: WorkingTime): EmptyHours[] {
  const uses = measureUse(time)
  return uses.flatMap((use) => {
    const others = uses.filter((other) => other !== use)
    const share = use.booked / use.available
    const othersShare = sum(others, 'booked') / Math.max(1, sum(others, 'available'))
    if (use.dates.length < minDays || share >= lowUse || othersShare < lowUse) return []
    return [{ ...describe(use, share, othersShare), grounds: listGrounds(time.today, share) }]
  })
}

/** Returns the grounds: it is listed again in the next quarter, and when the use falls further. */
function listGrounds(today: string, share: number): string[] {
  const quarter = `${today.slice(0, 4)}-Q${Math.ceil(Number(today.slice(5, 7)) / 3)}`
  const limits = share < veryLowUse ? [lowUse, veryLowUse] : [lowUse]
  return limits.map((limit) => `${quarter} under ${toPercent(limit)}`)
}

function describe({ weekday, half, dates }: HalfDayUse, share: number, others: number): Omit<EmptyHours, 'grounds'> {
  const name = `${weekday.slice(0, 1).toUpperCase()}${weekday.slice(1)} ${half}s`
  const basedOn = dates.map((date): InsightBasis => ({
    kind: 'schedule',
    id: date,
    label: formatDay(date),
    href: `/appointments?${new URLSearchParams({ date })}`,
  }))
  return {
    subject: `${weekday}-${half}`,
    suggestion: {
      type: 'optimization',
      priority: 'medium',
      title: `${name} stay ${share < veryLowUse ? 'mostly' : 'half'} empty`,
      message: `In the last six weeks, ${toPercent(share)} of these hours were booked, and ${toPercent(others)} of all others.`,
      actionItems: [`Offer ${name} first when a follow-up is booked`],
      basedOn: basedOn.slice(0, maxBasedOn),
      basedOnTotal: basedOn.length,
    },
  }
}
