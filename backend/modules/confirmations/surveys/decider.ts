import type { FailureReason } from '#contracts/values/confirmations.ts'
import { isAnswerable } from '#contracts/values/satisfaction.ts'
import { type Decider, reject } from '#eventstore/decider.ts'
import { type SurveyEnd, SurveyEvent } from './events.ts'

/** A question that is planned. */
export type Survey = Extract<SurveyEvent, { type: 'SurveyPlanned' }>['data']

/** Commands for one survey. `now` is an ISO instant in UTC. */
export type SurveyCommand =
  | { type: 'Plan'; survey: Survey }
  | { type: 'RecordSent'; delivery: 'sent' | 'outbox' }
  | { type: 'RecordFailure'; reason: FailureReason }
  | { type: 'Withdraw'; reason: SurveyEnd }
  | { type: 'Answer'; score: number; now: string }
  | { type: 'Decline'; now: string }

export type SurveyState =
  | { exists: false }
  | ({
      exists: true
      status: 'pending' | 'sent' | 'failed' | 'withdrawn' | 'answered' | 'declined'
      /** Null until it is answered. */
      score: number | null
    } & Survey)

export type KnownSurvey = Extract<SurveyState, { exists: true }>

/**
 * The rules of a survey: it is planned and sent once, and its first answer stays, also the wish not to be asked. An answer to a message that is reported as
 * failed counts, because the patient has its link.
 */
export const surveyDecider: Decider<SurveyCommand, SurveyEvent, SurveyState, 'not-found' | 'closed'> = {
  category: 'survey',
  events: SurveyEvent,
  initial: { exists: false },
  decide(command, state) {
    if (command.type === 'Plan') return state.exists ? [] : [{ type: 'SurveyPlanned', data: command.survey }]
    if (!state.exists) return reject('not-found', 'There is no such question.')
    const { surveyId, patientId, practiceId, appointmentId, status, dueAt } = state
    const about = { surveyId, patientId }
    switch (command.type) {
      case 'RecordSent':
        return status === 'pending' ? [{ type: 'SurveySent', data: { ...about, delivery: command.delivery } }] : []
      case 'RecordFailure':
        return status === 'pending' || status === 'sent'
          ? [{ type: 'SurveyFailed', data: { ...about, reason: command.reason } }]
          : []
      case 'Withdraw':
        return status === 'pending' ? [{ type: 'SurveyWithdrawn', data: { ...about, reason: command.reason } }] : []
      case 'Answer':
      case 'Decline': {
        if (status === 'answered' || status === 'declined') return []
        if (status === 'withdrawn' || !isAnswerable(dueAt, command.now))
          return reject('closed', 'This question is not open any more.')
        if (command.type === 'Decline') return [{ type: 'SurveyDeclined', data: about }]
        const { score } = command
        return [{ type: 'SurveyAnswered', data: { ...about, practiceId, appointmentId, score } }]
      }
    }
  },
  evolve(state, event) {
    if (event.type === 'SurveyPlanned') return { exists: true, status: 'pending', score: null, ...event.data }
    if (!state.exists) return state
    switch (event.type) {
      case 'SurveySent':
        return { ...state, status: 'sent' }
      case 'SurveyFailed':
        return { ...state, status: 'failed' }
      case 'SurveyWithdrawn':
        return { ...state, status: 'withdrawn' }
      case 'SurveyDeclined':
        return { ...state, status: 'declined' }
      case 'SurveyAnswered':
        return { ...state, status: 'answered', score: event.data.score }
    }
  },
}
