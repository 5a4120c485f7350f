import { z } from 'zod'
import { AppointmentId, ConfirmationId, PracticeId } from '#contracts/values/ids.ts'
import { isSwitchedOn } from '#modules/automation/switches/public.ts'
import { findUpcomingIds, loadAppointment } from '#modules/appointments/public.ts'
import { hasPlan } from '#modules/billing/public.ts'
import { mailRetry } from '#modules/kit/deliver-mail.ts'
import { followUpBatchSize, followUpRetry } from '#modules/kit/follow-up.ts'
import { defineJob, type Services } from '#modules/module.ts'
import { processContext } from '#modules/kit/process-context.ts'
import { waitForReadModels } from '#modules/kit/wait-for-read-models.ts'
import { Cause } from '#process-managers/process-manager.ts'
import { applyAnswer } from './answer.ts'
import { confirmationDecider, type KnownConfirmation } from './decider.ts'
import { createConfirmationLinks } from './links.ts'
import { createMailMessage, createTextMessage } from './message.ts'
import { findObstacle } from './obstacle.ts'
import { planConfirmations } from './plan-confirmations.ts'
import { jobNames } from './process-manager.ts'
import { type Contact, findContact } from './queries.ts'
import { type MessageFrame, sendToPatient } from './send-to-patient.ts'
import { confirmationSettings } from './settings.ts'

/** Plans the questions about an appointment that was booked, moved or cancelled. */
export const planForAppointment = defineJob({
  name: jobNames.plan,
  data: z.strictObject({ cause: Cause, practiceId: PracticeId, appointmentId: AppointmentId }),
  retry: followUpRetry,
  batchSize: followUpBatchSize,
  isGathered: true,
  async run(services, { practiceId, appointmentId, cause }) {
    await waitForReadModels(services, ['ConfirmationPlanned', 'PracticeSetUp'])
    await planConfirmations(services, practiceId, appointmentId, processContext(jobNames.plan, practiceId, cause))
  },
})

const pageSize = 200

/** Plans the questions about all upcoming appointments of a practice again, because its settings changed or its plan opened. */
export const planAgain = defineJob({
  name: jobNames.planAgain,
  data: z.strictObject({ cause: Cause, practiceId: PracticeId }),
  retry: followUpRetry,
  expireSeconds: 900,
  async run(services, { practiceId, cause }, { signal }) {
    const { db, clock } = services
    const context = processContext(jobNames.planAgain, practiceId, cause)
    await waitForReadModels(services, ['AppointmentBooked', 'ConfirmationPlanned', 'SubscriptionActivated'])
    for (let after: AppointmentId | null = null; ;) {
      const page: readonly AppointmentId[] = await findUpcomingIds(db, practiceId, {
        now: clock(),
        after,
        limit: pageSize,
      })
      for (const appointmentId of page) {
        signal.throwIfAborted()
        await planConfirmations(services, practiceId, appointmentId, context)
      }
      after = page.at(-1) ?? null
      if (page.length < pageSize) return
    }
  },
})

const sendData = z.strictObject({
  cause: Cause,
  practiceId: PracticeId,
  confirmationId: ConfirmationId,
  attempt: z.number().int().positive(),
  dueAt: z.iso.datetime(),
})
type SendData = z.infer<typeof sendData>

/**
 * Asks a patient, if the question still makes sense at this moment. The message has one key for each attempt, so that it leaves
 * once, however often this job runs; the fact that it left is recorded afterwards.
 */
export const sendConfirmation = defineJob({
  name: jobNames.send,
  data: sendData,
  // Until the day is over, as mail servers do.
  retry: mailRetry,
  async run(services, data, { signal }) {
    const { bus } = services
    const { confirmationId, attempt } = data
    const { state } = await bus.load(confirmationDecider, confirmationId)
    // It was planned for another instant since, withdrawn, or sent by an earlier run.
    const isDue = state.exists && state.status === 'pending' && state.attempt === attempt && state.dueAt === data.dueAt
    if (!isDue) return
    const context = toContext(data)
    const contact = await findContact(services.db, state.patientId)
    const obstacle = findObstacle(await findCircumstances(services, state, contact))
    if (obstacle !== null) {
      await bus.execute(confirmationDecider, confirmationId, { type: 'Withdraw', reason: obstacle }, context)
      return
    }
    const sending = { channel: state.channel, contact, job: jobNames.send, data, context, signal }
    const result = await sendToPatient(services, sending, (frame) => composeQuestion(services, state, frame))
    if (result === 'stopped') await planConfirmations(services, data.practiceId, state.appointmentId, context)
    else if (result) await bus.execute(confirmationDecider, confirmationId, { ...result, attempt }, context)
  },
  async onDeadLetter({ bus }, data) {
    const { confirmationId, attempt } = data
    const command = { type: 'RecordFailure', attempt, reason: 'unavailable' } as const
    await bus.execute(confirmationDecider, confirmationId, command, toContext(data))
  },
})

/** Applies the answer of a patient to the appointment, in case the patient's request was interrupted. */
export const applyConfirmationAnswer = defineJob({
  name: jobNames.applyAnswer,
  data: z.strictObject({ cause: Cause, practiceId: PracticeId, confirmationId: ConfirmationId }),
  retry: followUpRetry,
  async run(services, { practiceId, confirmationId, cause }) {
    const { state } = await services.bus.load(confirmationDecider, confirmationId)
    if (state.exists) await applyAnswer(services, state, processContext(jobNames.applyAnswer, practiceId, cause))
  },
})

const toContext = ({ practiceId, cause }: SendData) => processContext(jobNames.send, practiceId, cause)

async function findCircumstances(
  { bus, db, clock }: Services,
  { practiceId, appointmentId, reservationId, attempt }: KnownConfirmation,
  patient: Contact | null,
) {
  const appointment = await loadAppointment(bus, practiceId, appointmentId)
  return {
    appointment: appointment && { status: appointment.status, ...appointment.slot },
    reservationId,
    patient,
    hasPlan: await hasPlan(db, practiceId, clock()),
    // Later attempts are those that users ask for.
    isWanted: attempt > 1 || (await isSwitchedOn({ bus }, practiceId, 'confirmations')),
    now: clock().toISOString(),
  }
}

function composeQuestion(services: Services, confirmation: KnownConfirmation, frame: MessageFrame) {
  const { confirmationId, attempt, startsAt } = confirmation
  const question = {
    ...frame,
    key: `${confirmationId}-${attempt}`,
    startsAt,
    link: createConfirmationLinks({ ...services, ...confirmationSettings.read(services) }).createUrl(confirmationId),
    canReply: services.sms.kind === 'vendor',
  }
  return { createText: () => createTextMessage(question), createMail: () => createMailMessage(question) }
}
