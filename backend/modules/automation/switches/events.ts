import { z } from 'zod'
import { PracticeId, UserId } from '#contracts/values/ids.ts'
import { SwitchableAutomation } from '#contracts/values/automation.ts'
import { event } from '#eventstore/event.ts'

/** A user switched on or off what runs by itself. */
export const AutomationSwitched = event('AutomationSwitched', {
  practiceId: PracticeId,
  automation: SwitchableAutomation,
  isOn: z.boolean(),
  switchedBy: UserId,
})
export type AutomationSwitched = z.infer<typeof AutomationSwitched>
