import { v5 as createNamedId } from 'uuid'
import { type AppointmentId, CommunicationId, type PatientId, type PracticeId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command.ts'
import type { Services } from '#modules/module.ts'
import { communicationDecider } from './decider.ts'
import * as queries from './queries.ts'

/** A message of a patient. `key` tells it apart from all others, such as the vendor's id of a text message. */
export type IncomingMessage = {
  key: string
  communicationType: 'sms' | 'email'
  practiceId: PracticeId
  patientId: PatientId
  text: string
  appointmentId: AppointmentId | null
}

/** Makes the ids of incoming messages, so that one which is reported twice is noted once. */
const incomingMessages = '6f1c0c0e-52f3-4f0b-9a3f-5d8f6d4d2f10'

/** Notes a message of a patient, which a person of the practice reads and answers. A repetition has no effect. */
export async function noteIncomingMessage(
  { bus }: Pick<Services, 'bus'>,
  { key, communicationType, practiceId, patientId, text, appointmentId }: IncomingMessage,
  visitor: CommandContext,
): Promise<void> {
  const id = CommunicationId.parse(createNamedId(key, incomingMessages))
  const { state } = await bus.load(communicationDecider, id)
  if (state.exists) return
  const fields = {
    communicationType,
    direction: 'inbound',
    subject: null,
    messageContent: text,
    priority: 'normal',
    sentBy: null,
    automatedMessage: false,
    relatedAppointmentId: appointmentId,
  } as const
  await bus.execute(
    communicationDecider,
    id,
    { type: 'Create', id, practiceId, patientId, fields },
    { ...visitor, practiceId },
  )
}

/** Reads the messages of a scope. Does not check what a caller may read of them. */
export const communications = queries.communicationReader

/** Counts the messages from patients and unknown people of a scope that are neither read nor answered. */
export const countOpenMessages = queries.countOpenMessages
