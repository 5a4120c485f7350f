import { z } from 'zod'
import { Direction } from '#contracts/values/call-logs.ts'
import { AppointmentId, CommunicationId, UserId } from '#contracts/values/ids.ts'
import { CommunicationPriority, CommunicationType } from '#contracts/values/patient-communications.ts'
import { phi } from '#eventstore/event.ts'
import { defineRecordEvents } from '#modules/records/events.ts'

/** The history of a message from or to a patient. */
export const communicationEvents = defineRecordEvents({
  names: { created: 'PatientCommunicationNoted', changed: 'PatientCommunicationChanged' },
  id: { field: 'communicationId', schema: CommunicationId },
  patient: 'optional',
  statusField: 'status',
  fields: {
    communicationType: CommunicationType,
    direction: Direction,
    subject: phi(z.string().nullable()),
    messageContent: phi(z.string()),
    priority: CommunicationPriority,
    /** The user who noted it; null for a message of a process. */
    sentBy: UserId.nullable(),
    automatedMessage: z.boolean(),
    relatedAppointmentId: AppointmentId.nullable(),
  },
  initialStatus: 'sent',
  transitions: {
    PatientCommunicationRead: { from: ['sent'], to: 'read', data: {} },
    PatientCommunicationAnswered: { from: ['sent', 'read'], to: 'answered', data: {} },
    PatientCommunicationFailed: { from: ['sent'], to: 'failed', data: {} },
    PatientCommunicationReopened: { from: ['read', 'answered', 'failed'], to: 'sent', data: {} },
  },
})

export const PatientCommunicationEvent = communicationEvents.schema
export type PatientCommunicationEvent = z.infer<typeof PatientCommunicationEvent>
