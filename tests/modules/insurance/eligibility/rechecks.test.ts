import { addDays } from 'date-fns/addDays'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EligibilityOutcome, recheckDays } from '#contracts/values/eligibility.ts'
import type { EventData, Recorded } from '#eventstore/event.ts'
import type { EligibilityEvent } from '#modules/insurance/eligibility/events.ts'
import { findNight, isRecheckDue } from '#modules/insurance/eligibility/rechecks.ts'
import type { InsuranceEvent } from '#modules/insurance/events.ts'
import { recordedEvent } from '#tests/support/events.ts'

const now = new Date('2031-03-10T08:00:00.000Z')
const { before, apart } = recheckDays

const daysAgo = (days: number) => addDays(now, -days).toISOString()
const record = (type: string, days: number, data: EventData = {}) =>
  recordedEvent({ type, data }, { metadata: { at: daysAgo(days) } })

type Case = {
  verifiedDaysAgo: readonly number[]
  answers: readonly { daysAgo: number; outcome: EligibilityOutcome }[]
  startsInDays: number | null
}

const isDue = ({ verifiedDaysAgo, answers, startsInDays }: Case) =>
  isRecheckDue({
    verification: verifiedDaysAgo.map((days) => record('InsuranceVerified', days)) as Recorded<InsuranceEvent>[],
    questions: answers.flatMap(({ daysAgo: days, outcome }) => [
      record('EligibilityAsked', days),
      record('EligibilityAnswered', days, { outcome }),
    ]) as Recorded<EligibilityEvent>[],
    nextStart: startsInDays === null ? null : new Date(now.getTime() + startsInDays * 86_400_000),
    now,
  })

describe('a verified policy', () => {
  const old: Case = { verifiedDaysAgo: [apart], answers: [], startsInDays: before }

  it('is asked about again before an appointment, once the verification and the last answer are old', () => {
    expect(isDue(old)).toBe(true)
    expect(isDue({ ...old, startsInDays: null })).toBe(false)
    expect(isDue({ ...old, startsInDays: before + 0.01 })).toBe(false)
    expect(isDue({ ...old, verifiedDaysAgo: [apart + 40, apart - 1] })).toBe(false)
    expect(isDue({ ...old, verifiedDaysAgo: [] })).toBe(false)
    expect(isDue({ ...old, answers: [{ daysAgo: apart - 1, outcome: 'no-answer' }] })).toBe(false)
    expect(isDue({ ...old, answers: [{ daysAgo: apart, outcome: 'active' }] })).toBe(true)
  })

  it('is asked about the next night when the system of the insurer did not answer', () => {
    expect(isDue({ ...old, answers: [{ daysAgo: 1, outcome: 'retry-later' }] })).toBe(true)
  })

  it('costs at most one answered question in the days of its age', () => {
    const days = fc.integer({ min: 0, max: 90 })
    const answer = fc.record({ daysAgo: days, outcome: fc.constantFrom(...EligibilityOutcome.options) })
    const oldestFirst = fc
      .array(answer, { maxLength: 6 })
      .map((answers) => answers.toSorted((one, other) => other.daysAgo - one.daysAgo))
    fc.assert(
      fc.property(days, oldestFirst, fc.integer({ min: 0, max: before }), (verified, answers, startsInDays) => {
        const latest = answers.findLast(({ outcome }) => outcome !== 'retry-later')
        const isOld = verified >= apart && (latest?.daysAgo ?? apart) >= apart
        expect(isDue({ verifiedDaysAgo: [verified], answers, startsInDays })).toBe(isOld)
      }),
    )
  })
})

it('is asked about in the night of its practice', () => {
  expect(findNight(now, 'America/New_York')).toBe('2031-03-10')
  expect(findNight(now, 'Europe/Paris')).toBeNull()
  expect(findNight(new Date('2031-03-09T22:00:00.000Z'), 'Asia/Calcutta')).toBe('2031-03-10')
})
