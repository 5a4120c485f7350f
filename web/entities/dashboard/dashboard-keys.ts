import type { LiveUpdateRule } from '#web/api/live-updates.ts'

const all = ['dashboard'] as const

/** Query keys of the dashboard. */
export const dashboardKeys = {
  all,
  stats: [...all, 'stats'],
  trends: (period: string) => [...all, 'trends', period],
  countedAppointments: (filter: object) => [...all, 'appointments', filter],
  health: [...all, 'health'],
} as const

/** Its figures count appointments and patients. */
export const dashboardLiveUpdates: LiveUpdateRule = { queryKeys: { appointments: [all], patients: [all] } }
