import type { LiveUpdateRule } from '#web/api/live-updates.ts'

const all = ['practice'] as const

/** Query keys of the practice and its settings. */
export const practiceKeys = {
  all,
  one: (practiceId: string) => [...all, practiceId],
  timeZonePreview: (practiceId: string, timezone: string) => [...all, 'time-zone', practiceId, timezone],
  fees: [...all, 'fees'],
  calendarFeeds: [...all, 'calendar-feeds'],
} as const

export const practiceLiveUpdates: LiveUpdateRule = { queryKeys: { practice: [all] } }
