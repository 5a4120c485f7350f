import {
  ClosingReason,
  type ConfirmationStatus,
  defaultConfirmationSettings,
  type FailureReason,
} from '#contracts/values/confirmations.ts'
import type { PracticeId } from '#contracts/values/ids.ts'
import { type Decider, reject } from '#eventstore/decider.ts'
import { ConfirmationEvent, ConfirmationSettingsChanged, TextNumberEvent, type WithdrawalReason } from './events.ts'

type Plan = Extract<ConfirmationEvent, { type: 'ConfirmationPlanned' }>['data']

/** Commands for one confirmation. Instants are ISO texts in UTC. */
export type ConfirmationCommand =
  /** Plans the message, or moves its instant while it was not sent. */
  | { type: 'Plan'; plan: Plan }
  /** Takes back what was not sent; what was sent is closed if the appointment was cancelled or moved. */
  | { type: 'Withdraw'; reason: WithdrawalReason }
  | { type: 'RecordSent'; attempt: number; delivery: 'sent' | 'outbox' }
  | { type: 'RecordFailure'; attempt: number; reason: FailureReason }
  | { type: 'Resend'; practiceId: PracticeId; dueAt: string }
  | { type: 'Answer'; answer: 'confirmed' | 'declined' }

/** One confirmation. `withdrawn`: it is not needed, and no list shows it. */
export type ConfirmationState =
  | { exists: false }
  | ({
      exists: true
      status: ConfirmationStatus | 'withdrawn'
      withdrawal: WithdrawalReason | null
      /** Null while the appointment is as the patient was asked about it. */
      closed: ClosingReason | null
      /** The number of the message that is to be sent, or was sent last. */
      attempt: number
    } & Plan)

export type KnownConfirmation = Extract<ConfirmationState, { exists: true }>

export type ConfirmationRejection = 'not-found' | 'not-resendable' | 'declined' | 'withdrawn'

/**
 * The rules of a confirmation. Within one attempt its status only goes forward: pending, sent, failed, and the patient's
 * answer. Who confirmed may decline later; a refusal is final, because it cancels the appointment.
 */
export const confirmationDecider: Decider<
  ConfirmationCommand,
  ConfirmationEvent,
  ConfirmationState,
  ConfirmationRejection
> = {
  category: 'confirmation',
  events: ConfirmationEvent,
  initial: { exists: false },
  decide(command, state) {
    if (command.type === 'Plan') return plan(command.plan, state)
    if (!state.exists) return reject('not-found', 'There is no such confirmation.')
    const { confirmationId, patientId, status } = state
    const about = { confirmationId, patientId }
    switch (command.type) {
      case 'Withdraw':
        return withdraw(state, command.reason)
      case 'RecordSent': {
        const { attempt, delivery } = command
        return status === 'pending' && attempt === state.attempt
          ? [{ type: 'ConfirmationSent', data: { ...about, attempt, delivery } }]
          : []
      }
      case 'RecordFailure': {
        const { attempt, reason } = command
        return (status === 'pending' || status === 'sent') && attempt === state.attempt
          ? [{ type: 'ConfirmationFailed', data: { ...about, attempt, reason } }]
          : []
      }
      case 'Resend': {
        if (state.practiceId !== command.practiceId) return reject('not-found', 'There is no such confirmation.')
        if (!isUnanswered(state) || state.closed !== null)
          return reject('not-resendable', 'Only a message that was sent or failed can be sent again.')
        const { dueAt } = command
        const { startsAt } = state
        return [
          { type: 'ConfirmationResendRequested', data: { ...about, attempt: state.attempt + 1, dueAt, startsAt } },
        ]
      }
      case 'Answer': {
        const { answer } = command
        if (status === answer) return []
        if (status === 'declined') return reject('declined', 'This appointment was declined.')
        // A message of an earlier attempt has the same link.
        return status === 'withdrawn'
          ? reject('withdrawn', 'This question is not open any more.')
          : [{ type: 'ConfirmationAnswered', data: { ...about, answer } }]
      }
    }
  },
  evolve(state, event) {
    if (event.type === 'ConfirmationPlanned')
      return { exists: true, status: 'pending', withdrawal: null, closed: null, attempt: 1, ...event.data }
    if (!state.exists) return state
    switch (event.type) {
      case 'ConfirmationReplanned':
        return { ...state, status: 'pending', withdrawal: null, dueAt: event.data.dueAt }
      case 'ConfirmationSent':
        return { ...state, status: 'sent' }
      case 'ConfirmationFailed':
        return { ...state, status: 'failed' }
      case 'ConfirmationWithdrawn':
        return { ...state, status: 'withdrawn', withdrawal: event.data.reason }
      case 'ConfirmationClosed':
        return { ...state, closed: event.data.reason }
      case 'ConfirmationResendRequested':
        return { ...state, status: 'pending', attempt: event.data.attempt, dueAt: event.data.dueAt }
      case 'ConfirmationAnswered':
        return { ...state, status: event.data.answer }
    }
  },
}

/** Returns whether a message has left, or failed, and the patient has not answered. */
const isUnanswered = ({ status }: KnownConfirmation) => status === 'sent' || status === 'failed'

function withdraw(state: KnownConfirmation, reason: WithdrawalReason): ConfirmationEvent[] {
  const { confirmationId, patientId } = state
  if (state.status === 'pending')
    return [{ type: 'ConfirmationWithdrawn', data: { confirmationId, patientId, reason } }]
  const closing = ClosingReason.safeParse(reason)
  return closing.success && isUnanswered(state) && state.closed === null
    ? [{ type: 'ConfirmationClosed', data: { confirmationId, patientId, reason: closing.data } }]
    : []
}

function plan(planned: Plan, state: ConfirmationState): ConfirmationEvent[] {
  if (!state.exists) return [{ type: 'ConfirmationPlanned', data: planned }]
  const { confirmationId, patientId, dueAt } = planned
  // A user's request to send it again has its own instant.
  const isWaiting = state.status === 'pending' && state.attempt === 1 && state.dueAt !== dueAt
  const isOff = state.withdrawal === 'channel-off' || state.withdrawal === 'switched-off'
  const isWantedAgain = state.status === 'withdrawn' && isOff
  return isWaiting || isWantedAgain
    ? [{ type: 'ConfirmationReplanned', data: { confirmationId, patientId, dueAt, startsAt: state.startsAt } }]
    : []
}

/** The settings of a practice, without its id. */
export type ConfirmationSettings = Required<Omit<ConfirmationSettingsChanged['data'], 'practiceId'>>

/** The settings that a command may leave as they are. */
type OptionalSettings = Pick<ConfirmationSettings, 'offerFreedSlots' | 'askSatisfaction' | 'language'>

/** Changes the settings of a practice. */
export type SettingsCommand = {
  type: 'ChangeSettings'
  practiceId: PracticeId
  settings: Omit<ConfirmationSettings, keyof OptionalSettings> & {
    [Name in keyof OptionalSettings]?: OptionalSettings[Name] | undefined
  }
}

/** The settings by which one practice asks its patients. */
export const confirmationSettingsDecider: Decider<
  SettingsCommand,
  ConfirmationSettingsChanged,
  ConfirmationSettings,
  never
> = {
  category: 'confirmation-settings',
  events: ConfirmationSettingsChanged,
  initial: defaultConfirmationSettings,
  decide({ practiceId, settings: { offerFreedSlots, askSatisfaction, language, ...changed } }, state) {
    const settings = {
      ...changed,
      offerFreedSlots: offerFreedSlots ?? state.offerFreedSlots,
      askSatisfaction: askSatisfaction ?? state.askSatisfaction,
      language: language ?? state.language,
    }
    const names = Object.keys(defaultConfirmationSettings) as (keyof ConfirmationSettings)[]
    return names.every((name) => settings[name] === state[name])
      ? []
      : [{ type: 'ConfirmationSettingsChanged', data: { practiceId, ...settings } }]
  },
  evolve: (_, { data: { practiceId: _id, ...settings } }) => ({ ...defaultConfirmationSettings, ...settings }),
}

/** Stops or resumes texts to a number. */
export type TextNumberCommand = { type: 'Stop' | 'Resume'; numberId: string }

/** The rules of one number: its owner may stop texts and resume them, as often as they like. */
export const textNumberDecider: Decider<TextNumberCommand, TextNumberEvent, { isStopped: boolean }, never> = {
  category: 'text-number',
  events: TextNumberEvent,
  initial: { isStopped: false },
  decide: ({ type, numberId }, { isStopped }) =>
    isStopped === (type === 'Stop')
      ? []
      : [{ type: type === 'Stop' ? 'TextsStopped' : 'TextsResumed', data: { numberId } }],
  evolve: (_, { type }) => ({ isStopped: type === 'TextsStopped' }),
}
