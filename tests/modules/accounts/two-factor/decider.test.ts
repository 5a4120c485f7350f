import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UserId } from '#contracts/values/ids.ts'
import { fold, isRejection } from '#eventstore/decider.ts'
import type { TwoFactorEvent } from '#modules/accounts/events.ts'
import { type TwoFactorCommand, twoFactorDecider } from '#modules/accounts/two-factor/decider.ts'
import { deciderSpec } from '#tests/support/decider-spec.ts'

const userId = UserId.parse('3f8f1d0e-52a4-4c8b-9a57-2d1f5c0e7b11')
const factorId = 'c6d9a7b2-1f34-4e57-8a90-6c2b1d3e4f55'
const otherFactor = 'd7e0b8c3-2045-4f68-9ba1-7d3c2e4f5066'
const enable = (id = factorId): TwoFactorCommand => ({ type: 'Enable', userId, factorId: id, recoveryCodes: 10 })
const enabled: TwoFactorEvent = { type: 'TwoFactorEnabled', data: { userId, factorId, recoveryCodes: 10 } }
const used = (left: number): TwoFactorEvent => ({ type: 'RecoveryCodeUsed', data: { userId, left } })
const replaced: TwoFactorEvent = { type: 'RecoveryCodesReplaced', data: { userId, recoveryCodes: 10 } }
const disabled: TwoFactorEvent = { type: 'TwoFactorDisabled', data: { userId } }

describe('a second factor', () => {
  const given = deciderSpec(twoFactorDecider)

  it('is turned on once and off once', () => {
    given().when(enable()).then(enabled)
    given(enabled).when(enable()).thenNothing()
    given(enabled).when(enable(otherFactor)).thenRefused('two-factor-enabled')
    given(enabled).when({ type: 'Disable', userId }).then(disabled)
    given(enabled, disabled).when({ type: 'Disable', userId }).thenNothing()
    given(enabled, disabled)
      .when(enable(otherFactor))
      .then({ type: 'TwoFactorEnabled', data: { userId, factorId: otherFactor, recoveryCodes: 10 } })
  })
  it('counts its recovery codes until they are replaced', () => {
    const use: TwoFactorCommand = { type: 'UseRecoveryCode', userId }
    given(enabled).when(use).then(used(9))
    given(enabled, used(1)).when(use).then(used(0))
    given(enabled, used(0)).when(use).thenRefused('two-factor-disabled')
    given(enabled, used(0)).when({ type: 'ReplaceRecoveryCodes', userId, recoveryCodes: 10 }).then(replaced)
  })
  it('has no recovery codes while it is off', () => {
    given().when({ type: 'UseRecoveryCode', userId }).thenRefused('two-factor-disabled')
    given().when({ type: 'ReplaceRecoveryCodes', userId, recoveryCodes: 10 }).thenRefused('two-factor-disabled')
  })
})

const command: fc.Arbitrary<TwoFactorCommand> = fc.oneof(
  fc.constantFrom(enable(), enable(otherFactor)),
  fc.constantFrom<TwoFactorCommand>(
    { type: 'UseRecoveryCode', userId },
    { type: 'ReplaceRecoveryCodes', userId, recoveryCodes: 10 },
    { type: 'Disable', userId },
  ),
)

describe('a second factor that the practice requires, or that is lost', () => {
  const by = UserId.parse('91c2b9a4-6a3c-4f0b-8c43-5b8a0d7f6e22')
  const factorId = '6d1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c06'
  const other = '6d1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c07'
  const on: TwoFactorEvent = { type: 'TwoFactorEnabled', data: { userId, factorId, recoveryCodes: 10 } }
  const wasReset: TwoFactorEvent = { type: 'TwoFactorReset', data: { userId, factorId, by } }
  const given = deciderSpec(twoFactorDecider)

  it('is not turned off while it is required', () => {
    given(on).when({ type: 'Disable', userId, isRequired: true }).thenRefused('required-by-practice')
    given().when({ type: 'Disable', userId, isRequired: true }).thenNothing()
  })
  it('is reset once, and not when it was replaced since', () => {
    const reset: TwoFactorCommand = { type: 'Reset', userId, factorId, by }
    given(on).when(reset).then(wasReset)
    given(on, wasReset).when(reset).thenNothing()
    given(on, wasReset, { ...on, data: { ...on.data, factorId: other } } as TwoFactorEvent)
      .when(reset)
      .thenNothing()
    given(on, wasReset).when({ type: 'UseRecoveryCode', userId }).thenRefused('two-factor-disabled')
  })
})

describe('any sequence of commands', () => {
  it('uses at most the recovery codes that were issued, and none while it is off', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 40 }), (commands) => {
        let history: readonly TwoFactorEvent[] = []
        let left = 0
        let isOn = false
        for (const next of commands) {
          const decision = twoFactorDecider.decide(next, fold(twoFactorDecider, history))
          for (const event of isRejection(decision) ? [] : decision) {
            expect(event.type === 'TwoFactorEnabled').toBe(!isOn)
            if (event.type === 'RecoveryCodeUsed') left -= 1
            else left = event.type === 'TwoFactorDisabled' ? 0 : 10
            isOn = event.type !== 'TwoFactorDisabled'
            history = [...history, event]
          }
          expect(left).toBeGreaterThanOrEqual(0)
          expect(fold(twoFactorDecider, history)?.recoveryCodesLeft ?? 0).toBe(left)
        }
      }),
    )
  })
})
