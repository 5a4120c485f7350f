import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PatientId } from '#contracts/values/ids.ts'
import { fold, isRejection } from '#eventstore/decider.ts'
import { type ErasureCommand, erasureDecider } from '#modules/erasures/decider.ts'
import type { ErasureEvent } from '#modules/erasures/events.ts'
import { deciderSpec } from '#tests/support/given.ts'

const given = deciderSpec(erasureDecider)
const patientId = '018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0001' as PatientId
const why = 'asked for in writing'
const decide: ErasureCommand = { type: 'Decide', patientId, by: 'operator', why }
const finish: ErasureCommand = { type: 'Finish', patientId }
const decided: ErasureEvent = { type: 'ErasureDecided', data: { patientId, by: 'operator', why } }
const carriedOut: ErasureEvent = { type: 'ErasureCarriedOut', data: { patientId } }

describe('an erasure', () => {
  it('is decided by somebody, for a reason', () => given().when(decide).then(decided))
  it('is carried out once it was decided', () => given(decided).when(finish).then(carriedOut))
  it('is not carried out unless it was decided', () => given().when(finish).thenRefused('not-decided'))
  it('is decided once', () =>
    given(decided)
      .when({ ...decide, why: 'once more' })
      .thenNothing())
  it('is carried out once', () => given(decided, carriedOut).when(finish).thenNothing())

  it('is never carried out without a decision, nor either of them twice', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(decide, finish)), (commands) => {
        const history: ErasureEvent[] = []
        for (const command of commands) {
          const decision = erasureDecider.decide(command, fold(erasureDecider, history))
          if (!isRejection(decision)) history.push(...decision)
        }
        const first = commands.indexOf(decide)
        const isDone = first >= 0 && commands.lastIndexOf(finish) > first
        expect(history).toEqual(first < 0 ? [] : isDone ? [decided, carriedOut] : [decided])
      }),
    )
  })
})
