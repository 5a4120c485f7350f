import type { LiveUpdateRule } from '#web/api/live-updates.ts'

const all = ['analytics'] as const

/** Query keys of analytics. */
export const analyticsKeys = {
  figures: (query: object) => [...all, 'figures', query],
  breakdowns: (query: object) => [...all, 'breakdowns', query],
  records: (key: string, query: object) => [...all, 'records', key, query],
} as const

/** Its figures count appointments, patients, forms and verifications, in the hours and the time zone of the practice. */
export const analyticsLiveUpdates: LiveUpdateRule = {
  queryKeys: {
    appointments: [all],
    patients: [all],
    forms: [all],
    insurance: [all],
    practice: [all],
    providers: [all],
  },
}
