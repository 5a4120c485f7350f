import type { LiveUpdateRule } from '#web/api/live-updates.ts'

const lists = ['insurance'] as const
const details = ['insurance-verification'] as const

/** Query keys of insurance verifications. */
export const insuranceKeys = {
  lists,
  page: (query: object) => [...lists, 'list', query],
  counts: [...lists, 'counts'],
  details,
  one: (verificationId: string) => [...details, verificationId],
} as const

/** A verification shows the name of its patient. */
export const insuranceLiveUpdates: LiveUpdateRule = {
  queryKeys: { insurance: [lists, details], patients: [lists, details] },
}
