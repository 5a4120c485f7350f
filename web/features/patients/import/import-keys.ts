import type { LiveUpdateRule } from '#web/api/live-updates.ts'

const all = ['imports'] as const

/** Query keys of patient imports. */
export const importKeys = {
  all,
  list: [...all, 'list'],
  one: (importId: string) => [...all, importId],
} as const

export const importLiveUpdates: LiveUpdateRule = { queryKeys: { imports: [all] } }
