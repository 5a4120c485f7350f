import fc from 'fast-check'
import { expect, it } from 'vitest'
import { SwitchableAutomation } from '#contracts/values/automation.ts'
import { fold, isRejection } from '#eventstore/decider.ts'
import { switchesDecider, type SwitchCommand } from '#modules/automation/switches/decider.ts'
import type { AutomationSwitched } from '#modules/automation/switches/events.ts'
import { automationSwitchesProjection } from '#modules/automation/switches/projection.ts'
import { type AnyProjection, applyEvent, type Rows } from '#projections/projection.ts'
import { practiceId, userId } from '#tests/modules/patients/patient-fixtures.ts'
import { deciderSpec } from '#tests/support/decider-spec.ts'
import { recordedEvent } from '#tests/support/events.ts'

const given = deciderSpec(switchesDecider)
const about = { practiceId, automation: 'eligibility' } as const
const change = (isOn: boolean): SwitchCommand => ({ type: 'Switch', ...about, isOn, userId })
const switched = (isOn: boolean): AutomationSwitched => ({
  type: 'AutomationSwitched',
  data: { ...about, isOn, switchedBy: userId },
})

it('everything is on at first, and is switched once', () => {
  given().when(change(true)).thenNothing()
  given().when(change(false)).then(switched(false))
  given(switched(false)).when(change(false)).thenNothing()
  given(switched(false)).when(change(true)).then(switched(true))
  given(switched(false))
    .when({ ...change(false), automation: 'confirmations' })
    .then({ type: 'AutomationSwitched', data: { ...switched(false).data, automation: 'confirmations' } })
})

it('after any commands each is as it was switched last, in the events and in the rows', () => {
  const command = fc.record({ automation: fc.constantFrom(...SwitchableAutomation.options), isOn: fc.boolean() })
  fc.assert(
    fc.property(fc.array(command, { maxLength: 20 }), (commands) => {
      const events: AutomationSwitched[] = []
      for (const { automation, isOn } of commands) {
        const decision = switchesDecider.decide({ ...change(isOn), automation }, fold(switchesDecider, events))
        events.push(...(isRejection(decision) ? [] : decision))
      }
      const rows: Rows = new Map()
      for (const [revision, event] of events.entries())
        applyEvent(automationSwitchesProjection as AnyProjection, rows, recordedEvent(event, { revision }))
      const off = fold(switchesDecider, events)
      const last = (automation: SwitchableAutomation) =>
        commands.findLast((each) => each.automation === automation)?.isOn ?? true
      const found = SwitchableAutomation.options.map((automation) => ({
        inEvents: !off.has(automation),
        inRows: rows.get(`${practiceId} ${automation}`)?.['is_on'] ?? true,
      }))
      expect(found).toEqual(
        SwitchableAutomation.options.map((automation) => ({ inEvents: last(automation), inRows: last(automation) })),
      )
    }),
  )
})
