import { describe, expect, it } from 'vitest'
import { computeMinutesSaved, computeSavedCents, defaultEstimates } from '#contracts/values/automation.ts'
import { estimatesDecider } from '#modules/automation/decider.ts'
import { deciderSpec } from '#tests/support/decider-spec.ts'
import { practiceId } from '#tests/modules/patients/patient-fixtures.ts'

const given = deciderSpec(estimatesDecider)
const estimates = { minutesPerMessage: 4, minutesPerForm: 8, hourlyRateCents: 30_00 }
const changed = { type: 'AutomationEstimatesChanged', data: { practiceId, ...estimates } } as const

describe('the estimates of a practice', () => {
  it('are stored when one differs', () => {
    given().when({ type: 'ChangeEstimates', practiceId, estimates }).then(changed)
  })

  it('are stored once', () => {
    given(changed).when({ type: 'ChangeEstimates', practiceId, estimates }).then()
    given().when({ type: 'ChangeEstimates', practiceId, estimates: defaultEstimates }).then()
  })

  it('turn actions into minutes and cents', () => {
    const minutes = computeMinutesSaved({ messages: 10, analyses: 2 }, estimates)
    expect(minutes).toBe(56)
    expect(computeSavedCents(minutes, estimates)).toBe(28_00)
    expect(computeSavedCents(1, { hourlyRateCents: 10_00 })).toBe(17)
  })
})
