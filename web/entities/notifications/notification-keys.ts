import type { LiveUpdateRule } from '#web/api/live-updates.ts'

const all = ['notifications'] as const
const list = [...all, 'list'] as const

/** Query keys of notifications. */
export const notificationKeys = { list, preferences: [...all, 'preferences'] } as const

/** Notifications are derived from other data, whose changes update them. */
export const notificationLiveUpdates: LiveUpdateRule = {
  queryKeys: {
    notifications: [all],
    appointments: [list],
    waitlist: [list],
    imports: [list],
    subscription: [list],
    practice: [list],
    providers: [list],
    team: [list],
    forms: [list],
    insurance: [list],
    confirmations: [list],
    records: [list],
  },
}
