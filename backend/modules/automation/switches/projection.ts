import { defineProjection } from '#projections/projection.ts'
import type { AutomationSwitched } from './events.ts'

type SwitchRow = {
  id: string
  practice_id: string
  automation: string
  is_on: boolean
  switched_by: string
  switched_at: string
}

/** Automations that practices have switched, one row each. */
export const automationSwitchesProjection = defineProjection<AutomationSwitched, SwitchRow>({
  name: 'automation_switches',
  version: 1,
  columns: {
    id: 'text',
    practice_id: 'uuid',
    automation: 'text',
    is_on: 'bool',
    switched_by: 'uuid',
    switched_at: 'timestamptz',
  },
  key: 'id',
  indexes: ['(practice_id)'],
  rowOf: ({ data: { practiceId, automation } }) => `${practiceId} ${automation}`,
  on: {
    AutomationSwitched: (_, { data: { practiceId, automation, isOn, switchedBy }, metadata: { at } }) => ({
      id: `${practiceId} ${automation}`,
      practice_id: practiceId,
      automation,
      is_on: isOn,
      switched_by: switchedBy,
      switched_at: at,
    }),
  },
})
