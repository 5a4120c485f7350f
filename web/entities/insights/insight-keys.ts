import type { LiveUpdateRule } from '#web/api/live-updates.ts'

const all = ['insights'] as const

/** Query keys of insights. */
export const insightKeys = { all, list: [...all, 'list'], usage: [...all, 'usage'] } as const

/** Insights follow from appointments, patients, forms, insurances, records, providers and working hours, and from what was decided about them. */
export const insightLiveUpdates: LiveUpdateRule = {
  queryKeys: {
    insights: [all],
    appointments: [all],
    patients: [all],
    forms: [all],
    insurance: [all],
    records: [all],
    providers: [all],
    practice: [all],
  },
}
