import { addMinutes } from 'date-fns/addMinutes'
import type { EligibilityInquiryId } from '#contracts/values/ids.ts'
import { type Decider, reject } from '#eventstore/decider.ts'
import { EligibilityEvent } from './events.ts'

type Asked = Extract<EligibilityEvent, { type: 'EligibilityAsked' }>['data']
type Answered = Extract<EligibilityEvent, { type: 'EligibilityAnswered' }>['data']

export type EligibilityCommand =
  | { type: 'Ask'; question: Asked }
  | {
      type: 'Answer'
      inquiryId: EligibilityInquiryId
      answer: Pick<Answered, 'outcome' | 'code' | 'startsOn' | 'endsOn'>
    }

/** `open`: a question that waits for its answer. `last`: the last answer. Null without one. */
export type EligibilityState = { open: Asked | null; last: Answered | null }

/** Minutes after which a question without an answer counts as lost, and another one may be asked. */
const lostAfterMinutes = 30

/** The rules of questions about one verification: one at a time, and each has one answer. */
export const eligibilityDecider: Decider<EligibilityCommand, EligibilityEvent, EligibilityState, 'being-asked'> = {
  category: 'eligibility',
  events: EligibilityEvent,
  initial: { open: null, last: null },
  decide(command, { open, last }) {
    if (command.type === 'Answer') {
      if (open?.inquiryId !== command.inquiryId) return []
      const { serviceDate: _date, askedAt: _instant, ...inquiry } = open
      return [{ type: 'EligibilityAnswered', data: { ...inquiry, ...command.answer } }]
    }
    const { question } = command
    if ([open?.inquiryId, last?.inquiryId].includes(question.inquiryId)) return []
    if (open && new Date(question.askedAt) < addMinutes(open.askedAt, lostAfterMinutes))
      return reject('being-asked', 'The insurer is being asked already.')
    return [{ type: 'EligibilityAsked', data: question }]
  },
  evolve(state, event) {
    if (event.type === 'EligibilityAsked') return { ...state, open: event.data }
    return { open: null, last: event.data }
  },
}
