import type { LiveUpdateRule } from '#web/api/live-updates.ts'

const hub = ['automation'] as const
const confirmations = ['confirmations'] as const

/** Query keys of the automation hub and of confirmations. */
export const automationKeys = {
  stats: [...hub, 'stats'],
  activity: [...hub, 'activity'],
  switches: [...hub, 'switches'],
  confirmationPage: (query: object) => [...confirmations, 'list', query],
  confirmation: (confirmationId: string) => [...confirmations, 'one', confirmationId],
  config: [...confirmations, 'config'],
  offers: (query: object) => [...confirmations, 'offers', query],
} as const

/** The hub counts confirmations, forms and verifications, and names their patients. */
export const automationLiveUpdates: LiveUpdateRule = {
  queryKeys: {
    automation: [hub],
    confirmations: [hub, confirmations],
    forms: [hub],
    insurance: [hub],
    records: [hub],
    patients: [automationKeys.activity, confirmations],
  },
}
