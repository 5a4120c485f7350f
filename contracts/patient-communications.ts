import { z } from 'zod'
import { optionalRecordPatient, recordEndpoints, recordMeta, recordRevision } from './records.ts'
import { Direction } from './values/call-logs.ts'
import { AppointmentId, CommunicationId, PatientId, UserId } from './values/ids.ts'
import { CommunicationPriority, CommunicationStatus, CommunicationType } from './values/patient-communications.ts'
import { optionalLine, text } from './values/text.ts'

/**
 * A message from or to a patient, as the practice has noted it: nothing is sent by adding one. The patient is null for a message of
 * an unknown person. `sentBy` is the user who noted it.
 */
export const PatientCommunication = z.object({
  id: CommunicationId,
  ...optionalRecordPatient,
  communicationType: CommunicationType,
  direction: Direction,
  subject: z.string().nullable(),
  messageContent: z.string(),
  status: CommunicationStatus,
  priority: CommunicationPriority,
  sentBy: UserId.nullable(),
  automatedMessage: z.boolean(),
  relatedAppointmentId: AppointmentId.nullable(),
  ...recordMeta,
})
export type PatientCommunication = z.infer<typeof PatientCommunication>

const fields = {
  communicationType: CommunicationType,
  direction: Direction,
  subject: optionalLine(200),
  messageContent: text(5_000).pipe(z.string().min(1, 'Please enter the message')),
  priority: CommunicationPriority,
  relatedAppointmentId: AppointmentId.nullable(),
}

export const NewPatientCommunication = z.strictObject({
  patientId: PatientId.nullable().default(null),
  ...fields,
  subject: fields.subject.default(null),
  priority: fields.priority.default('normal'),
  relatedAppointmentId: fields.relatedAppointmentId.default(null),
})

export const PatientCommunicationChange = z.strictObject({
  ...z.strictObject(fields).partial().shape,
  status: CommunicationStatus.optional(),
  ...recordRevision,
})

const calls = recordEndpoints({
  path: '/api/patient-communications',
  id: CommunicationId,
  read: 'scheduling',
  write: 'scheduling',
  status: CommunicationStatus,
  filters: { direction: Direction.optional(), priority: CommunicationPriority.optional() },
  reply: PatientCommunication,
  add: NewPatientCommunication,
  change: PatientCommunicationChange,
})

/** Lists messages from and to patients, newest first. `search` matches the patient's name. */
export const listPatientCommunications = calls.list

/** The records of a filtered list as a CSV file, newest first, at most 10,000. */
export const exportPatientCommunications = calls.exportCsv

/** A message with its history, newest first. */
export const getPatientCommunication = calls.get

/** Notes a message from or to a patient. */
export const addPatientCommunication = calls.add

/**
 * Changes what is noted of a message, or its status. Its text never changes: 409 `already-sent`. 409 `changed-meanwhile` when
 * another user has changed it since `revision`.
 */
export const changePatientCommunication = calls.change
