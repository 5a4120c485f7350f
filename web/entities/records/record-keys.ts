import type { LiveUpdateRule } from '#web/api/live-updates.ts'

const all = ['records'] as const

/** Query keys of records of any kind. */
export const recordKeys = {
  all,
  page: (kind: string, query: object) => [...all, kind, 'list', query],
  one: (kind: string, id: string) => [...all, kind, 'one', id],
  kind: (kind: string) => [...all, kind],
} as const

/** A record shows the name of its patient. */
export const recordLiveUpdates: LiveUpdateRule = { queryKeys: { records: [all], patients: [all] } }
