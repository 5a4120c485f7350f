import { z } from 'zod'
import { ConfirmationChannel, FailureReason } from '#contracts/values/confirmations.ts'
import { AppointmentId, PatientId, PracticeId, SurveyId } from '#contracts/values/ids.ts'
import { SatisfactionScore } from '#contracts/values/satisfaction.ts'
import { event } from '#eventstore/event.ts'

const about = { surveyId: SurveyId, patientId: PatientId }

/** The reason why a patient is not asked any more about an appointment that was completed. */
export const SurveyEnd = z.enum(['not-completed', 'not-a-patient', 'off', 'no-plan'])
export type SurveyEnd = z.infer<typeof SurveyEnd>

/** The history of the question how satisfied a patient was with one appointment. */
export const SurveyEvent = z.discriminatedUnion('type', [
  /** `dueAt` is the instant at which the message leaves, ISO in UTC. */
  event('SurveyPlanned', {
    ...about,
    practiceId: PracticeId,
    appointmentId: AppointmentId,
    channel: ConfirmationChannel,
    dueAt: z.iso.datetime(),
  }),
  /** `delivery` is `outbox` where nothing sends messages. */
  event('SurveySent', { ...about, delivery: z.enum(['sent', 'outbox']) }),
  event('SurveyFailed', { ...about, reason: FailureReason }),
  event('SurveyWithdrawn', { ...about, reason: SurveyEnd }),
  /** The patient wants no such questions from this practice any more. */
  event('SurveyDeclined', about),
  event('SurveyAnswered', { ...about, practiceId: PracticeId, appointmentId: AppointmentId, score: SatisfactionScore }),
])
export type SurveyEvent = z.infer<typeof SurveyEvent>
