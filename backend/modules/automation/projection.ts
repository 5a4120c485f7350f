import type { AutomationKind, AutomationOutcome } from '#contracts/values/automation.ts'
import type { Recorded } from '#eventstore/event.ts'
import type { ConfirmationEvent } from '#modules/confirmations/events.ts'
import type { SlotOfferEvent } from '#modules/confirmations/offers/events.ts'
import type { SurveyEvent } from '#modules/confirmations/surveys/events.ts'
import type { FormEvent } from '#modules/forms/events.ts'
import type { EligibilityOutcome } from '#contracts/values/eligibility.ts'
import type { EligibilityEvent } from '#modules/insurance/eligibility/events.ts'
import type { InsuranceEvent } from '#modules/insurance/events.ts'
import { defineProjection } from '#projections/projection.ts'
import type { AutomationEstimatesChanged } from './events.ts'

type ActionEvent = ConfirmationEvent | SlotOfferEvent | SurveyEvent | FormEvent | InsuranceEvent | EligibilityEvent

type ActionRow = {
  id: string
  practice_id: string | null
  patient_id: string
  kind: AutomationKind
  outcome: AutomationOutcome
  /** The confirmation, offer, survey, form or verification. */
  record_id: string
  at: string
  sample: boolean
}

const action =
  <Event extends Recorded<ActionEvent>>(kind: AutomationKind, findOutcome: (event: Event) => AutomationOutcome) =>
  (_: ActionRow | null, event: Event): ActionRow => ({
    id: event.id,
    practice_id: event.metadata.practiceId,
    patient_id: event.data.patientId,
    kind,
    outcome: findOutcome(event),
    record_id: findRecordId(event.data),
    at: event.metadata.at,
    sample: event.metadata.sample,
  })

function findRecordId(data: ActionEvent['data']): string {
  if ('confirmationId' in data) return data.confirmationId
  if ('surveyId' in data) return data.surveyId
  if ('slotOfferId' in data) return data.slotOfferId
  return 'formId' in data ? data.formId : data.verificationId
}

/** The outcome of each answer of an insurer; null where Everchart asks again. */
const answerOutcomes: Record<EligibilityOutcome, AutomationOutcome | null> = {
  active: 'confirmed',
  inactive: 'declined',
  'not-covered': 'declined',
  'retry-later': null,
  'correct-data': 'failed',
  enrolment: 'failed',
  'no-answer': 'failed',
}

/** The log of what ran by itself: one row for each event of an automatic process, or of a patient who answered it. */
export const automationActionsProjection = defineProjection<ActionEvent, ActionRow>({
  name: 'automation_actions',
  version: 2,
  isMetadataOnly: true,
  columns: {
    id: 'uuid',
    practice_id: 'uuid',
    patient_id: 'uuid',
    kind: 'text',
    outcome: 'text',
    record_id: 'uuid',
    at: 'timestamptz',
    sample: 'bool',
  },
  key: 'id',
  indexes: ['(practice_id, at, id) include (kind, outcome, sample)'],
  rowOf: ({ id, metadata }) => (metadata.practiceId === null ? null : id),
  on: {
    ConfirmationSent: action('message', () => 'sent'),
    ConfirmationFailed: action('message', () => 'failed'),
    ConfirmationAnswered: action('answer', ({ data }) => data.answer),
    ConfirmationPlanned: 'ignore',
    ConfirmationReplanned: 'ignore',
    ConfirmationWithdrawn: 'ignore',
    ConfirmationClosed: 'ignore',
    ConfirmationResendRequested: 'ignore',
    SlotOfferSent: action('offer', () => 'sent'),
    SlotOfferFailed: action('offer', () => 'failed'),
    SlotOfferAccepted: action('offer', () => 'confirmed'),
    SlotOfferDeclined: action('offer', () => 'declined'),
    SlotOffered: 'ignore',
    SlotOfferWithdrawn: 'ignore',
    SurveySent: action('survey', () => 'sent'),
    SurveyFailed: action('survey', () => 'failed'),
    SurveyAnswered: action('survey', () => 'completed'),
    SurveyPlanned: 'ignore',
    SurveyWithdrawn: 'ignore',
    SurveyDeclined: 'ignore',
    FormAnalyzed: action('analysis', () => 'completed'),
    FormAnalysisFailed: action('analysis', () => 'failed'),
    FormAnalysisSkipped: 'ignore',
    FormAssigned: 'ignore',
    FormAnswersSaved: 'ignore',
    FormSubmitted: 'ignore',
    FormReviewed: 'ignore',
    FormCompleted: 'ignore',
    FormAnalysisRequested: 'ignore',
    EligibilityAnswered(row, event) {
      const outcome = answerOutcomes[event.data.outcome]
      return outcome && action('coverage', () => outcome)(row, event)
    },
    EligibilityAsked: 'ignore',
    InsuranceExpired: action('expiry', () => 'completed'),
    InsuranceVerificationRequested: 'ignore',
    InsuranceVerificationChanged: 'ignore',
    InsuranceVerified: 'ignore',
    InsuranceDenied: 'ignore',
    InsuranceVerificationReopened: 'ignore',
  },
})

type EstimatesRow = {
  practice_id: string
  minutes_per_message: number
  minutes_per_form: number
  hourly_rate_cents: number
}

/** The estimates of the practices that have stated some. */
export const automationEstimatesProjection = defineProjection<AutomationEstimatesChanged, EstimatesRow>({
  name: 'automation_estimates',
  version: 1,
  columns: {
    practice_id: 'uuid',
    minutes_per_message: 'int4',
    minutes_per_form: 'int4',
    hourly_rate_cents: 'int4',
  },
  key: 'practice_id',
  rowOf: ({ data }) => data.practiceId,
  on: {
    AutomationEstimatesChanged: (_, { data }) => ({
      practice_id: data.practiceId,
      minutes_per_message: data.minutesPerMessage,
      minutes_per_form: data.minutesPerForm,
      hourly_rate_cents: data.hourlyRateCents,
    }),
  },
})
