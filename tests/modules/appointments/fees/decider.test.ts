import { describe, expect, it } from 'vitest'
import { defaultFees, type Money } from '#contracts/values/money.ts'
import { fold } from '#eventstore/decider.ts'
import { feeDecider } from '#modules/appointments/fees/decider.ts'
import type { FeeEvent } from '#modules/appointments/fees/events.ts'
import { deciderSpec } from '#tests/support/given.ts'
import { practiceId } from '../appointments.ts'

const given = deciderSpec(feeDecider)
const usd = (cents: number): Money => ({ cents, currency: 'USD' })
const changed: FeeEvent = {
  type: 'FeesChanged',
  data: { practiceId, from: { procedure: usd(450_00) }, to: { procedure: usd(500_00) } },
}

describe('the fees of a practice', () => {
  it('are the usual ones until somebody changes them', () => {
    expect(fold(feeDecider, [])).toEqual(defaultFees)
    expect(fold(feeDecider, [changed])).toEqual({ ...defaultFees, procedure: usd(500_00) })
  })

  it('change by what is different, and by nothing else', () => {
    const fees = { procedure: usd(500_00), consultation: usd(150_00) }
    given().when({ type: 'ChangeFees', practiceId, fees }).then(changed)
    given(changed).when({ type: 'ChangeFees', practiceId, fees }).thenNothing()
  })
})
