import type { PracticeId } from '#contracts/values/ids.ts'
import {
  type DayHours,
  defaultWeek,
  findHoursErrors,
  Weekday,
  type WeekHours,
} from '#contracts/values/working-hours.ts'
import { type Decider, reject } from '#eventstore/decider.ts'
import { WorkingHoursEvent } from './events.ts'

/** Sets the hours of some weekdays. */
export type WorkingHoursCommand = {
  type: 'ChangeWorkingHours'
  practiceId: PracticeId
  days: Partial<WeekHours>
}

/** The week of a practice; null until it sets any hours, then the defaults apply to the weekdays that it did not set. */
export type WorkingHoursState = WeekHours | null

/** The working hours of a practice. The first change is recorded even if it equals the defaults: from then on they are the practice's own. */
export const workingHoursDecider: Decider<WorkingHoursCommand, WorkingHoursEvent, WorkingHoursState, 'invalid-hours'> =
  {
    category: 'working_hours',
    events: WorkingHoursEvent,
    initial: null,
    decide({ practiceId, days }, state) {
      for (const weekday of Weekday.options) {
        const [error] = days[weekday] ? findHoursErrors(days[weekday]) : []
        if (error) return reject('invalid-hours', error.message, ['hours', weekday, ...error.path].join('.'))
      }
      const current = state ?? defaultWeek
      const changed = Weekday.options.filter(
        (weekday) => days[weekday] !== undefined && (state === null || !isSame(days[weekday], current[weekday])),
      )
      if (changed.length === 0) return []
      const pick = (week: Partial<WeekHours>) => Object.fromEntries(changed.map((weekday) => [weekday, week[weekday]]))
      const data = { practiceId, from: pick(current), to: pick(days) } as WorkingHoursEvent['data']
      return [{ type: 'WorkingHoursChanged', data }]
    },
    evolve: (state, { data }) => applyHours(state, data.to),
  }

/** Returns the week after a change. */
export const applyHours = (state: WorkingHoursState, changed: Partial<WeekHours>): WeekHours => ({
  ...(state ?? defaultWeek),
  ...changed,
})

const isSame = (a: DayHours | null, b: DayHours | null): boolean => {
  if (a === null || b === null) return a === b
  const format = ({ opens, closes, breaks }: DayHours) =>
    [`${opens}-${closes}`, ...breaks.map(({ from, until }) => `${from}-${until}`)].join(' ')
  return format(a) === format(b)
}
