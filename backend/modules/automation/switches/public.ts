import type { SwitchableAutomation } from '#contracts/values/automation.ts'
import type { PracticeId } from '#contracts/values/ids.ts'
import type { Services } from '#modules/module.ts'
import { switchesDecider } from './decider.ts'

/** Returns whether a practice lets something run by itself. Reads the events: what was switched off counts at once. */
export async function isSwitchedOn(
  { bus }: Pick<Services, 'bus'>,
  practiceId: PracticeId,
  automation: SwitchableAutomation,
): Promise<boolean> {
  const { state: off } = await bus.load(switchesDecider, practiceId)
  return !off.has(automation)
}
