import type { Router } from '@koa/router'
import * as contract from '#contracts/automation.ts'
import { asksInsurers, SwitchableAutomation } from '#contracts/values/automation.ts'
import { serve } from '#http/serve.ts'
import { hasClearinghouse } from '#modules/insurance/public.ts'
import type { Services } from '#modules/module.ts'
import { switchesDecider } from './decider.ts'
import { findSwitches, type KnownSwitches } from './queries.ts'

/** Serves what a practice switches on and off. */
export function serveSwitches(router: Router, services: Services): void {
  const { bus, db } = services

  const toSwitch = (automation: SwitchableAutomation, known: KnownSwitches): contract.AutomationSwitch => ({
    ...(known.get(automation) ?? { isOn: true, changedAt: null, changedBy: null }),
    automation,
    isConnected: !asksInsurers(automation) || hasClearinghouse(services),
  })

  serve(router, contract.listAutomationSwitches, async ({ caller }) => {
    const known = await findSwitches(db, caller.practiceId)
    return SwitchableAutomation.options.map((automation) => toSwitch(automation, known))
  })

  serve(router, contract.switchAutomation, async ({ caller, body: { automation, isOn } }, { commandContext }) => {
    const { practiceId, userId } = caller
    const command = { type: 'Switch', practiceId, automation, isOn, userId } as const
    await bus.execute(switchesDecider, practiceId, command, commandContext)
    return toSwitch(automation, await findSwitches(db, practiceId))
  })
}
