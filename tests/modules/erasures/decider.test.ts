import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PatientId } from '#contracts/values/ids.ts'
import { fold, isRejection } from '#eventstore/decider.ts'
import { type ErasureCommand, erasureDecider } from '#modules/erasures/decider.ts'
import type { ErasureEvent } from '#modules/erasures/events.ts'
import { deciderSpec } from '#tests/support/decider-spec.ts'

const given = deciderSpec(erasureDecider)
const patientId = '018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0001' as PatientId
const data = { patientId, requestedBy: 'operator', reason: 'requested in writing' }
const request: ErasureCommand = { type: 'Request', ...data }
const complete: ErasureCommand = { type: 'Complete', patientId }
const requested: ErasureEvent = { type: 'ErasureRequested', data }
const completed: ErasureEvent = { type: 'ErasureCompleted', data: { patientId } }

describe('an erasure', () => {
  it('is requested with a reason', () => given().when(request).then(requested))
  it('is completed after the request', () => given(requested).when(complete).then(completed))
  it('is not completed without a request', () => given().when(complete).thenRefused('not-requested'))
  it('is requested once', () =>
    given(requested)
      .when({ ...request, reason: 'once more' })
      .thenNothing())
  it('is completed once', () => given(requested, completed).when(complete).thenNothing())

  it('is never completed without a request, and neither happens twice', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(request, complete)), (commands) => {
        const history: ErasureEvent[] = []
        for (const command of commands) {
          const decision = erasureDecider.decide(command, fold(erasureDecider, history))
          if (!isRejection(decision)) history.push(...decision)
        }
        const first = commands.indexOf(request)
        const isDone = first >= 0 && commands.lastIndexOf(complete) > first
        expect(history).toEqual(first < 0 ? [] : isDone ? [requested, completed] : [requested])
      }),
    )
  })
})
