import type { SwitchableAutomation } from '#contracts/values/automation.ts'
import type { PracticeId, UserId } from '#contracts/values/ids.ts'
import type { Decider } from '#eventstore/decider.ts'
import { AutomationSwitched } from './events.ts'

/** Switches one automation of a practice. */
export type SwitchCommand = {
  type: 'Switch'
  practiceId: PracticeId
  automation: SwitchableAutomation
  isOn: boolean
  userId: UserId
}

/** The automations of one practice that are switched off. All are on at first. */
export const switchesDecider: Decider<SwitchCommand, AutomationSwitched, ReadonlySet<SwitchableAutomation>, never> = {
  category: 'automation-switches',
  events: AutomationSwitched,
  initial: new Set(),
  decide: ({ practiceId, automation, isOn, userId }, off) =>
    isOn === !off.has(automation)
      ? []
      : [{ type: 'AutomationSwitched', data: { practiceId, automation, isOn, switchedBy: userId } }],
  evolve(off, { data: { automation, isOn } }) {
    const others = [...off].filter((each) => each !== automation)
    return new Set(isOn ? others : [...others, automation])
  },
}
