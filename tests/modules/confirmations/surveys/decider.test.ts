import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fold, isRejection } from '#eventstore/decider.ts'
import { type SurveyCommand, surveyDecider } from '#modules/confirmations/surveys/decider.ts'
import type { SurveyEvent } from '#modules/confirmations/surveys/events.ts'
import { deciderSpec } from '#tests/support/decider-spec.ts'
import { answered, declined, failed, planned, sent, survey, withdrawn } from './fixtures.ts'

const given = deciderSpec(surveyDecider)
const recordSent = { type: 'RecordSent', delivery: 'sent' } as const
const recordFailure = { type: 'RecordFailure', reason: 'refused' } as const
const withdraw = { type: 'Withdraw', reason: 'off' } as const
const lastInstant = '2026-12-19T17:59:59.999Z'
const answer = (score: number, now = '2026-11-20T09:00:00.000Z') => ({ type: 'Answer', score, now }) as const

describe('a survey', () => {
  it('is planned and sent once', () => {
    given().when({ type: 'Plan', survey }).then(planned)
    given(planned).when({ type: 'Plan', survey }).thenNothing()
    given(planned).when(recordSent).then(sent)
    given(planned, sent).when(recordSent).thenNothing()
    given().when(recordSent).thenRefused('not-found')
  })

  it('fails while it is not answered, and is withdrawn while it was not sent', () => {
    given(planned).when(recordFailure).then(failed)
    given(planned, sent).when(recordFailure).then(failed)
    given(planned, sent, failed).when(recordFailure).thenNothing()
    given(planned, failed).when(recordSent).thenNothing()
    given(planned, sent, answered(4)).when(recordFailure).thenNothing()
    given(planned).when(withdraw).then(withdrawn)
    given(planned, sent).when(withdraw).thenNothing()
  })

  it('keeps its first answer, also when the message is reported as failed', () => {
    given(planned, sent).when(answer(4)).then(answered(4))
    given(planned, sent, failed).when(answer(1)).then(answered(1))
    given(planned, sent, answered(4)).when(answer(1)).thenNothing()
  })

  it('is declined instead of answered, once', () => {
    const decline = { type: 'Decline', now: lastInstant } as const
    given(planned, sent).when(decline).then(declined)
    given(planned, sent, declined).when(decline).thenNothing()
    given(planned, sent, declined).when(answer(4)).thenNothing()
    given(planned, sent, answered(4)).when(decline).thenNothing()
    given(planned, withdrawn).when(decline).thenRefused('closed')
  })

  it('is answered for thirty days, and not once it was withdrawn', () => {
    given(planned, sent).when(answer(5, lastInstant)).then(answered(5))
    given(planned, sent).when(answer(5, '2026-12-19T18:00:00.000Z')).thenRefused('closed')
    given(planned, withdrawn).when(answer(5)).thenRefused('closed')
  })

  it('has at most one answer and one message, whatever happens in which order', () => {
    const command: fc.Arbitrary<SurveyCommand> = fc.oneof(
      fc.constantFrom<SurveyCommand>({ type: 'Plan', survey }, recordSent, recordFailure, withdraw, {
        type: 'Decline',
        now: lastInstant,
      }),
      fc.integer({ min: 1, max: 5 }).map((score) => answer(score)),
    )
    fc.assert(
      fc.property(fc.array(command, { maxLength: 12 }), (sequence) => {
        const history: SurveyEvent[] = []
        for (const each of sequence) {
          const decision = surveyDecider.decide(each, fold(surveyDecider, history))
          if (!isRejection(decision)) history.push(...decision)
        }
        const types = history.map(({ type }) => type)
        expect(types).toEqual([...new Set(types)])
        // An end is the last event, unless the message is reported as failed, which an answer may follow.
        const ends = types.filter((type) => ['SurveyWithdrawn', 'SurveyAnswered', 'SurveyDeclined'].includes(type))
        expect(ends.length).toBeLessThanOrEqual(1)
        if (ends[0]) expect(types.at(-1)).toBe(ends[0])
      }),
    )
  })
})
