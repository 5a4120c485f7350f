import type { AutomationSwitched } from '#modules/automation/switches/events.ts'
import type { AppointmentEvent } from '#modules/appointments/events.ts'
import type { BillingEvent } from '#modules/billing/events.ts'
import type { Recorded } from '#eventstore/event.ts'
import { followUp, unlessSample } from '#modules/kit/follow-up.ts'
import { defineProcessManager, type JobRequest, toCause } from '#process-managers/process-manager.ts'
import type { ConfirmationEvent, ConfirmationSettingsChanged } from './events.ts'

/** The names of the jobs that this process manager requests; see jobs.ts. */
export const jobNames = {
  plan: 'plan-confirmations',
  planAgain: 'plan-confirmations-again',
  send: 'send-confirmation',
  applyAnswer: 'apply-confirmation-answer',
} as const

const plan = (event: Recorded, appointmentId: string): JobRequest[] => {
  const { practiceId } = event.metadata
  return [{ job: jobNames.plan, data: { practiceId, appointmentId, cause: toCause(event) } }]
}

type Due = { confirmationId: string; dueAt: string; startsAt?: string | undefined }

/** Returns the priority by which messages about the earliest appointments leave first of those that are due. */
const toPriority = (startsAt: string) => -Math.floor(Date.parse(startsAt) / 60_000)

const send = (event: Recorded, attempt: number, { confirmationId, dueAt, startsAt }: Due): JobRequest[] => {
  const { practiceId } = event.metadata
  const data = { practiceId, confirmationId, attempt, dueAt, cause: toCause(event) }
  return [{ job: jobNames.send, data, startAfter: dueAt, ...(startsAt ? { priority: toPriority(startsAt) } : {}) }]
}

const planAgain = (event: Recorded): JobRequest[] => {
  const { practiceId } = event.metadata
  return [{ job: jobNames.planAgain, data: { practiceId, cause: toCause(event) } }]
}

/** Plans the questions to patients when appointments are booked or moved, and sends them when they are due. */
export const askPatients = defineProcessManager<
  AppointmentEvent | BillingEvent | ConfirmationEvent | ConfirmationSettingsChanged | AutomationSwitched
>({
  name: 'ask-patients',
  on: {
    AppointmentBooked: (event) => unlessSample(event, plan(event, event.data.appointmentId)),
    AppointmentRescheduled: (event) => plan(event, event.data.appointmentId),
    AppointmentCancelled: (event) => unlessSample(event, plan(event, event.data.appointmentId)),
    ConfirmationPlanned: (event) => send(event, 1, event.data),
    ConfirmationReplanned: (event) => send(event, 1, event.data),
    ConfirmationResendRequested: (event) => send(event, event.data.attempt, event.data),
    ConfirmationAnswered: (event) => {
      const { practiceId } = event.metadata
      return followUp(event, jobNames.applyAnswer, { practiceId, confirmationId: event.data.confirmationId })
    },
    ConfirmationSettingsChanged: planAgain,
    AutomationSwitched: (event) => (event.data.automation === 'confirmations' ? planAgain(event) : []),
    // Without a plan, nothing was planned.
    TrialStarted: planAgain,
    SubscriptionActivated: planAgain,
  },
})
