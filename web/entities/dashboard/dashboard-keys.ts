import type { LiveUpdateRule } from '#web/api/live-updates.ts'

const all = ['dashboard'] as const

/** Query keys of the dashboard. */
export const dashboardKeys = {
  all,
  stats: [...all, 'stats'],
  trends: (period: string) => [...all, 'trends', period],
  countedAppointments: (filter: object) => [...all, 'appointments', filter],
  systemStatus: [...all, 'system-status'],
} as const

/** Its figures count appointments, patients and insights, by days in the practice's time zone. */
export const dashboardLiveUpdates: LiveUpdateRule = {
  queryKeys: {
    appointments: [all],
    patients: [all],
    practice: [all],
    insights: [all],
    forms: [all],
    insurance: [all],
    records: [all],
  },
}
