import type { LiveUpdateRule } from '#web/api/live-updates.ts'
import { refreshCurrentUser } from '#web/entities/accounts/current-user.ts'

const all = ['practice'] as const

/** Query keys of the practice and its settings. */
export const practiceKeys = {
  all,
  one: (practiceId: string) => [...all, practiceId],
  timeZonePreview: (practiceId: string, timezone: string) => [...all, 'time-zone', practiceId, timezone],
  safeguards: [...all, 'safeguards'],
  appointmentTypes: [...all, 'appointment-types'],
  calendarFeeds: [...all, 'calendar-feeds'],
  /** The working hours, with what depends on them. */
  workingHours: [...all, 'working-hours'],
  weekHours: [...all, 'working-hours', 'week'],
  workCalendar: (range: object) => [...all, 'working-hours', 'calendar', range],
  closures: [...all, 'working-hours', 'closures'],
} as const

/** Live updates also refetch the current user, whose session timeout the practice sets. */
export const practiceLiveUpdates: LiveUpdateRule = {
  queryKeys: { practice: [all] },
  onChange: (queries) => void refreshCurrentUser(queries),
}
