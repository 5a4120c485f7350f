import { describe, expect, it } from 'vitest'
import { defaultFees, type Money } from '#contracts/values/money.ts'
import { fold } from '#eventstore/decider.ts'
import { feeDecider } from '#modules/fees/decider.ts'
import type { FeeEvent } from '#modules/fees/events.ts'
import { deciderSpec } from '#tests/support/decider-spec.ts'
import { practiceId } from '#tests/modules/appointments/fixtures.ts'

const given = deciderSpec(feeDecider)
const usd = (cents: number): Money => ({ cents, currency: 'USD' })
const changed: FeeEvent = {
  type: 'FeesChanged',
  data: { practiceId, from: { procedure: usd(450_00) }, to: { procedure: usd(500_00) } },
}

describe('the fees of a practice', () => {
  it('are the defaults until they are changed', () => {
    expect(fold(feeDecider, [])).toEqual(defaultFees)
    expect(fold(feeDecider, [changed])).toEqual({ ...defaultFees, procedure: usd(500_00) })
  })

  it('record only what is different', () => {
    const fees = { procedure: usd(500_00), consultation: usd(150_00) }
    given().when({ type: 'ChangeFees', practiceId, fees }).then(changed)
    given(changed).when({ type: 'ChangeFees', practiceId, fees }).thenNothing()
  })
})
