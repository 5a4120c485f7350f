import type { LiveUpdateRule } from '#web/api/live-updates.ts'
import { confirmationKeys } from '#web/entities/confirmations/confirmation-keys.ts'

const hub = ['automation'] as const
const confirmations = confirmationKeys.all

/** Query keys of the automation hub, and of the settings of confirmations and the offers that belong to them. */
export const automationKeys = {
  stats: [...hub, 'stats'],
  activity: [...hub, 'activity'],
  switches: [...hub, 'switches'],
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
