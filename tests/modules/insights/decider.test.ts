import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fold, isRejection } from '#eventstore/decider.ts'
import { coversGrounds, type InsightCommand, insightDecider } from '#modules/insights/decider.ts'
import type { InsightEvent } from '#modules/insights/events.ts'
import { practiceId } from '#tests/modules/patients/patient-fixtures.ts'
import { deciderSpec } from '#tests/support/decider-spec.ts'
import { insightId, insightOn } from './fixtures.ts'

const given = deciderSpec(insightDecider)
const [now, until, later] = ['2026-11-26T10:00:00.000Z', '2026-11-27T05:00:00.000Z', '2026-12-03T05:00:00.000Z']

const dismissed = (...grounds: string[]): InsightEvent => ({ type: 'InsightDismissed', data: insightOn(...grounds) })
const done = (...grounds: string[]): InsightEvent => ({ type: 'InsightDone', data: insightOn(...grounds) })
const snoozed = (end: string, ...grounds: string[]): InsightEvent => ({
  type: 'InsightSnoozed',
  data: { ...insightOn(...grounds), until: end },
})
const reopened: InsightEvent = { type: 'InsightReopened', data: { insightId, practiceId } }

const dismiss = (...grounds: string[]): InsightCommand => ({ type: 'Dismiss', insight: insightOn(...grounds) })
const markDone = (...grounds: string[]): InsightCommand => ({ type: 'MarkDone', insight: insightOn(...grounds) })
const snooze = (end: string, ...grounds: string[]): InsightCommand => ({
  type: 'Snooze',
  insight: insightOn(...grounds),
  until: end,
  now,
})

describe('a decision about an insight', () => {
  it('is recorded with what the insight was based on', () => {
    given().when(dismiss('a', 'b')).then(dismissed('a', 'b'))
    given().when(markDone('a')).then(done('a'))
    given().when(snooze(until, 'a')).then(snoozed(until, 'a'))
  })

  it('is not repeated for the same grounds, or for fewer', () => {
    given(dismissed('a', 'b')).when(dismiss('b')).thenNothing()
    given(done('a')).when(markDone('a')).thenNothing()
    given(snoozed(until, 'a')).when(snooze(until, 'a')).thenNothing()
  })

  it('is made again for further grounds', () => {
    given(dismissed('a')).when(dismiss('a', 'b')).then(dismissed('a', 'b'))
    given(done('a')).when(markDone('b')).then(done('b'))
  })

  it('replaces another one', () => {
    given(dismissed('a')).when(markDone('a')).then(done('a'))
    given(snoozed(until, 'a')).when(snooze(later, 'a')).then(snoozed(later, 'a'))
    given(snoozed(until, 'a')).when(dismiss('a')).then(dismissed('a'))
  })

  it('is taken back once', () => {
    given(dismissed('a')).when({ type: 'Reopen' }).then(reopened)
    given().when({ type: 'Reopen' }).thenNothing()
    given(dismissed('a'), reopened).when({ type: 'Reopen' }).thenNothing()
    given(dismissed('a'), reopened).when(dismiss('a')).then(dismissed('a'))
  })

  it('does not snooze until a time that is over', () => {
    given().when(snooze(now, 'a')).thenRefused('time-over')
  })
})

it('after any decisions, the last one counts and repeating it changes nothing', () => {
  const grounds = fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1 })
  const command: fc.Arbitrary<InsightCommand> = fc.oneof(
    grounds.map((each) => dismiss(...each)),
    grounds.map((each) => markDone(...each)),
    fc.tuple(fc.constantFrom(until, later), grounds).map(([end, each]) => snooze(end, ...each)),
    fc.constant<InsightCommand>({ type: 'Reopen' }),
  )
  fc.assert(
    fc.property(fc.array(command, { minLength: 1 }), (commands) => {
      const history: InsightEvent[] = []
      const state = () => fold(insightDecider, history)
      for (const each of commands) {
        const events = insightDecider.decide(each, state())
        if (isRejection(events)) throw new Error(events.rejected)
        history.push(...events)
        expect(insightDecider.decide(each, state())).toEqual([])
      }
      const last = commands.at(-1)
      if (last?.type === 'Reopen') expect(state()).toBeNull()
      else expect(coversGrounds(state()?.insight.grounds ?? [], last?.insight.grounds ?? [])).toBe(true)
    }),
  )
})
