import type { LiveUpdateRule } from '#web/api/live-updates.ts'

const all = ['waitlist'] as const

/** Query keys of the waitlist. */
export const waitlistKeys = {
  all,
  list: [...all, 'list'],
  booked: (appointmentId: string) => [...all, 'booked', appointmentId],
  candidates: (appointmentId: string) => [...all, 'candidates', appointmentId],
} as const

export const waitlistLiveUpdates: LiveUpdateRule = { queryKeys: { waitlist: [all] } }
