import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fold, isRejection } from '#eventstore/decider.ts'
import { policyComparisonDecider } from '#modules/insurance/recorded-policies/decider.ts'
import type { PolicyComparisonEvent } from '#modules/insurance/recorded-policies/events.ts'
import { deciderSpec } from '#tests/support/decider-spec.ts'
import { patientId, practiceId } from '#tests/modules/patients/patient-fixtures.ts'
import { verificationId } from '../fixtures.ts'

const given = deciderSpec(policyComparisonDecider)

const comparison = (
  policyInRecord: 'same' | 'other' | 'none',
  [patientRevision, verificationRevision]: [number, number],
) => ({ verificationId, practiceId, patientId, policyInRecord, patientRevision, verificationRevision })
const compare = (...args: Parameters<typeof comparison>) =>
  ({ type: 'Compare', comparison: comparison(...args) }) as const
const compared = (...args: Parameters<typeof comparison>): PolicyComparisonEvent => ({
  type: 'PolicyCompared',
  data: comparison(...args),
})

describe('the comparison of a verification with a record', () => {
  it('is kept, and made again when either of them changes', () => {
    given()
      .when(compare('same', [0, 0]))
      .then(compared('same', [0, 0]))
    given(compared('same', [0, 0]))
      .when(compare('other', [1, 0]))
      .then(compared('other', [1, 0]))
    given(compared('other', [1, 0]))
      .when(compare('same', [1, 1]))
      .then(compared('same', [1, 1]))
  })

  it('is kept once, also when its job runs again', () => {
    given(compared('none', [2, 1]))
      .when(compare('none', [2, 1]))
      .thenNothing()
  })

  it('does not go back to an earlier record', () => {
    given(compared('same', [3, 0]))
      .when(compare('other', [2, 0]))
      .thenNothing()
    given(compared('same', [3, 1]))
      .when(compare('other', [4, 0]))
      .thenNothing()
  })

  it('is that of the newest record in the end, in whatever order the jobs finish', () => {
    const outcome = fc.constantFrom('same' as const, 'other' as const, 'none' as const)
    const steps = fc.array(fc.tuple(fc.boolean(), outcome), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(steps, fc.infiniteStream(fc.nat()), (changes, order) => {
        const revisions: [number, number] = [0, 0]
        const commands = changes.map(([isPatient, policyInRecord]) => {
          revisions[isPatient ? 0 : 1] += 1
          return compare(policyInRecord, [...revisions])
        })
        const shuffled = commands
          .map((command) => ({ command, at: order.next().value }))
          .toSorted((one, two) => one.at - two.at)
        const history: PolicyComparisonEvent[] = []
        for (const { command } of shuffled) {
          const decision = policyComparisonDecider.decide(command, fold(policyComparisonDecider, history))
          if (!isRejection(decision)) history.push(...decision)
        }
        expect(history.at(-1)?.data).toEqual(commands.at(-1)?.comparison)
      }),
    )
  })
})
