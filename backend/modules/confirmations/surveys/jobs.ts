import { subDays } from 'date-fns/subDays'
import { z } from 'zod'
import type { FailureReason } from '#contracts/values/confirmations.ts'
import { AppointmentId, PracticeId, SurveyId } from '#contracts/values/ids.ts'
import { deriveId } from '#eventstore/derive-id.ts'
import { loadAppointment } from '#modules/appointments/public.ts'
import { hasPlan } from '#modules/billing/public.ts'
import { mailRetry } from '#modules/kit/deliver-mail.ts'
import { followUpRetry } from '#modules/kit/follow-up.ts'
import { defineJob, type Services } from '#modules/module.ts'
import { noteIncomingMessage } from '#modules/patient-communications/public.ts'
import { findTimeZone } from '#modules/practices/public.ts'
import { processContext } from '#modules/kit/process-context.ts'
import { waitForReadModels } from '#modules/kit/wait-for-read-models.ts'
import { Cause } from '#process-managers/process-manager.ts'
import { findChannel } from '../channel.ts'
import { leaveNight } from '../due.ts'
import { findContact, findSettings } from '../queries.ts'
import { type MessageFrame, sendToPatient } from '../send-to-patient.ts'
import { confirmationSettings } from '../settings.ts'
import { textsByLanguage } from '../texts.ts'
import { type KnownSurvey, surveyDecider } from './decider.ts'
import type { SurveyEnd } from './events.ts'
import { createSurveyLinks } from './links.ts'
import { createSurveyMail, createSurveyText } from './message.ts'
import { surveyJobNames } from './process-manager.ts'
import { isLeftInPeace } from './queries.ts'

/** The days in which a patient is asked once, however often they come. */
const pauseDays = 30

/** The days after an appointment in which its patient is asked: one that was entered or imported later is history. */
const askDays = 3

/** The events without which a patient might be asked twice, or although the practice does not want it. */
const needed = ['SurveyPlanned', 'ConfirmationSettingsChanged', 'PatientRegistered'] as const

/** Plans the question about an appointment that was completed, if the practice asks such questions. */
export const planSurvey = defineJob({
  name: surveyJobNames.plan,
  data: z.strictObject({ cause: Cause, practiceId: PracticeId, appointmentId: AppointmentId }),
  retry: followUpRetry,
  async run(services, { practiceId, appointmentId, cause }) {
    await waitForReadModels(services, needed)
    const { bus, db, clock } = services
    const appointment = await loadAppointment(bus, practiceId, appointmentId)
    if (!appointment) return
    const now = clock()
    const { patientId, slot } = appointment
    if (slot.startsAt < subDays(now, askDays).toISOString()) return
    if ((await findEnd(services, { practiceId, appointmentId, patientId })) !== null) return
    if (await isLeftInPeace(db, { practiceId, patientId, since: subDays(now, pauseDays).toISOString() })) return
    const channel = await findChannel(services, await findSettings(db, practiceId), patientId)
    if (!channel) return
    const surveyId = SurveyId.parse(deriveId(`survey ${appointmentId}`))
    const { hasQuietHours } = confirmationSettings.read(services)
    const dueAt = hasQuietHours ? leaveNight(now.toISOString(), await findTimeZone(db, practiceId)) : now.toISOString()
    const survey = { surveyId, practiceId, patientId, appointmentId, channel, dueAt }
    const context = processContext(surveyJobNames.plan, practiceId, cause)
    await bus.execute(surveyDecider, surveyId, { type: 'Plan', survey }, context)
  },
})

const surveyData = z.strictObject({ cause: Cause, practiceId: PracticeId, surveyId: SurveyId })
type SurveyData = z.infer<typeof surveyData>

/** Asks a patient, if the question still makes sense at this moment. The message has one key, so that it leaves once. */
export const sendSurvey = defineJob({
  name: surveyJobNames.send,
  data: surveyData,
  retry: mailRetry,
  async run(services, data, { signal }) {
    const { bus, db } = services
    await waitForReadModels(services, needed)
    const { state } = await bus.load(surveyDecider, data.surveyId)
    if (!state.exists || state.status !== 'pending') return
    const context = toContext(data)
    const end = await findEnd(services, state)
    if (end !== null) {
      await bus.execute(surveyDecider, data.surveyId, { type: 'Withdraw', reason: end }, context)
      return
    }
    const contact = await findContact(db, state.patientId)
    const sending = { channel: state.channel, contact, job: surveyJobNames.send, data, context, signal }
    const result = await sendToPatient(services, sending, (frame) => composeSurvey(services, state, frame))
    if (result === 'stopped') await recordFailure(services, data, 'refused')
    else if (result) await bus.execute(surveyDecider, data.surveyId, result, context)
  },
  onDeadLetter: (services, data) => recordFailure(services, data, 'unavailable'),
})

/** Brings a poor answer to the practice, as a message of the patient that a person reads. */
export const followUpSurvey = defineJob({
  name: surveyJobNames.followUp,
  data: surveyData,
  retry: followUpRetry,
  async run(services, data) {
    const { state } = await services.bus.load(surveyDecider, data.surveyId)
    if (!state.exists || state.score === null) return
    const text = textsByLanguage.en.surveyPoor(state.score)
    await noteSurveyText(
      services,
      state,
      { key: 'answer', text },
      processContext(surveyJobNames.followUp, data.practiceId, data.cause),
    )
  },
})

/** Notes words about an appointment for the practice; `key` tells those of one survey apart. A repetition has no effect. */
export const noteSurveyText = (
  services: Services,
  { surveyId, practiceId, patientId, appointmentId, channel }: KnownSurvey,
  { key, text }: { key: 'answer' | 'comment'; text: string },
  context: Parameters<typeof noteIncomingMessage>[2],
): Promise<void> =>
  noteIncomingMessage(
    services,
    { key: `survey ${key} ${surveyId}`, communicationType: channel, practiceId, patientId, appointmentId, text },
    context,
  )

const toContext = ({ practiceId, cause }: SurveyData) => processContext(surveyJobNames.send, practiceId, cause)

async function recordFailure({ bus }: Services, data: SurveyData, reason: FailureReason): Promise<void> {
  await bus.execute(surveyDecider, data.surveyId, { type: 'RecordFailure', reason }, toContext(data))
}

/** Returns why a question makes no sense any more at this moment; null when it does. */
async function findEnd(
  { bus, db, clock }: Services,
  { practiceId, appointmentId, patientId }: Pick<KnownSurvey, 'practiceId' | 'appointmentId' | 'patientId'>,
): Promise<SurveyEnd | null> {
  const [{ askSatisfaction }, isPaid, appointment, contact] = await Promise.all([
    findSettings(db, practiceId),
    hasPlan(db, practiceId, clock()),
    loadAppointment(bus, practiceId, appointmentId),
    findContact(db, patientId),
  ])
  if (!askSatisfaction) return 'off'
  if (!isPaid) return 'no-plan'
  if (appointment?.status !== 'completed') return 'not-completed'
  return !contact || contact.removed || contact.deceased ? 'not-a-patient' : null
}

function composeSurvey(services: Services, { surveyId }: KnownSurvey, frame: MessageFrame) {
  const message = {
    ...frame,
    key: `${surveyId}-1`,
    link: createSurveyLinks({ ...services, ...confirmationSettings.read(services) }).createUrl(surveyId),
  }
  return { createText: () => createSurveyText(message), createMail: () => createSurveyMail(message) }
}
