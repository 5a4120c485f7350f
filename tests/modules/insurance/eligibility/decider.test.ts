import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EligibilityInquiryId, InsuranceVerificationId, PatientId, PracticeId } from '#contracts/values/ids.ts'
import { deriveId } from '#eventstore/derive-id.ts'
import { fold, isRejection } from '#eventstore/decider.ts'
import { eligibilityDecider, type EligibilityCommand } from '#modules/insurance/eligibility/decider.ts'
import type { EligibilityEvent } from '#modules/insurance/eligibility/events.ts'
import { deciderSpec } from '#tests/support/decider-spec.ts'

const given = deciderSpec(eligibilityDecider)
const toInquiryId = (name: string) => EligibilityInquiryId.parse(deriveId(name))

const ids = {
  verificationId: InsuranceVerificationId.parse(deriveId('verification')),
  practiceId: PracticeId.parse(deriveId('practice')),
  patientId: PatientId.parse(deriveId('patient')),
}
const question = (name: string, minute = 0) => ({
  ...ids,
  inquiryId: toInquiryId(name),
  attempt: 1,
  serviceDate: '2031-03-20',
  askedAt: new Date(Date.parse('2031-03-10T15:00:00.000Z') + minute * 60_000).toISOString(),
})
const answer = { outcome: 'active', code: 'EB 1', startsOn: '2031-01-01', endsOn: null } as const
const ask = (name: string, minute = 0) => ({ type: 'Ask', question: question(name, minute) }) as const
const reply = (name: string) => ({ type: 'Answer', inquiryId: toInquiryId(name), answer }) as const
const asked = (name: string, minute = 0): EligibilityEvent => ({
  type: 'EligibilityAsked',
  data: question(name, minute),
})
const answered = (name: string): EligibilityEvent => ({
  type: 'EligibilityAnswered',
  data: { ...ids, inquiryId: toInquiryId(name), attempt: 1, ...answer },
})

describe('a question to the insurer', () => {
  it('is announced, and answered once', () => {
    given().when(ask('one')).then(asked('one'))
    given(asked('one')).when(reply('one')).then(answered('one'))
    given(asked('one'), answered('one')).when(reply('one')).thenNothing()
    given().when(reply('one')).thenNothing()
  })

  it('is announced once, also when its job runs again', () => {
    given(asked('one')).when(ask('one', 5)).thenNothing()
    given(asked('one'), answered('one')).when(ask('one', 5)).thenNothing()
  })

  it('waits for the one before it, unless that was lost half an hour ago', () => {
    given(asked('one')).when(ask('two', 29)).thenRefused('being-asked')
    given(asked('one')).when(ask('two', 30)).then(asked('two', 30))
    given(asked('one'), asked('two', 30)).when(reply('one')).thenNothing()
    given(asked('one'), answered('one')).when(ask('two', 1)).then(asked('two', 1))
  })

  it('is never open together with another one, whatever arrives when', () => {
    const names = fc.constantFrom('one', 'two', 'three')
    const command: fc.Arbitrary<EligibilityCommand> = fc.oneof(
      fc.tuple(names, fc.nat({ max: 120 })).map(([name, minute]) => ask(name, minute)),
      names.map(reply),
    )
    fc.assert(
      fc.property(fc.array(command, { maxLength: 30 }), (commands) => {
        const history: EligibilityEvent[] = []
        for (const each of commands) {
          const decision = eligibilityDecider.decide(each, fold(eligibilityDecider, history))
          if (!isRejection(decision)) history.push(...decision)
        }
        const answers = history.filter(({ type }) => type === 'EligibilityAnswered').map(({ data }) => data.inquiryId)
        const questions = history.filter(({ type }) => type === 'EligibilityAsked').map(({ data }) => data.inquiryId)
        expect(new Set(answers).size).toBe(answers.length)
        expect(answers.every((id) => questions.includes(id))).toBe(true)
      }),
    )
  })
})
