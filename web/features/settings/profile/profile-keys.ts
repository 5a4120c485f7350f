import type { LiveUpdateRule } from '#web/api/live-updates.ts'

/** Query key of the signed-in user's profile. */
export const profileKey = ['profile'] as const

/** Changes of a profile are announced as changes of the team, which shows its names. */
export const profileLiveUpdates: LiveUpdateRule = { queryKeys: { team: [profileKey] } }
