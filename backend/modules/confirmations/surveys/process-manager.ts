import { poorScore } from '#contracts/values/satisfaction.ts'
import type { AppointmentEvent } from '#modules/appointments/events.ts'
import { followUp, unlessSample } from '#modules/kit/follow-up.ts'
import { defineProcessManager, toCause } from '#process-managers/process-manager.ts'
import type { SurveyEvent } from './events.ts'

/** The names of the jobs that this process manager requests; see jobs.ts. */
export const surveyJobNames = { plan: 'plan-survey', send: 'send-survey', followUp: 'follow-up-survey' } as const

/** Seconds between the completion of an appointment and the question: the patient has left, and a mistake is corrected. */
export const surveyDelaySeconds = 7_200

/** Asks patients how satisfied they were, after an appointment that was completed, and brings poor answers to the practice. */
export const askAboutSatisfaction = defineProcessManager<AppointmentEvent | SurveyEvent>({
  name: 'ask-about-satisfaction',
  on: {
    AppointmentCompleted: (event) => {
      const { practiceId } = event.metadata
      const data = { practiceId, appointmentId: event.data.appointmentId }
      return unlessSample(event, followUp(event, surveyJobNames.plan, data, surveyDelaySeconds))
    },
    SurveyPlanned: (event) => {
      const { practiceId, surveyId, dueAt } = event.data
      return [{ job: surveyJobNames.send, data: { practiceId, surveyId, cause: toCause(event) }, startAfter: dueAt }]
    },
    SurveyAnswered: (event) => {
      const { practiceId, surveyId, score } = event.data
      return score > poorScore ? [] : followUp(event, surveyJobNames.followUp, { practiceId, surveyId }, 0)
    },
  },
})
