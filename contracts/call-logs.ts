import { z } from 'zod'
import { optionalRecordPatient, queryFlag, recordEndpoints, recordMeta, recordRevision } from './records.ts'
import { CallStatus, Direction, FollowUpStatus } from './values/call-logs.ts'
import { CalendarDate } from './values/dates.ts'
import { CallLogId, PatientId } from './values/ids.ts'
import { line, optionalLine, optionalText } from './values/text.ts'

/**
 * A call in the log of the practice, with its follow-up: `followUpOwner` calls back until `followUpDueOn`, YYYY-MM-DD.
 * `callDuration` is in seconds. The patient is null for a call of an unknown person; `transcription` is null for users who may not
 * read clinical data.
 */
export const CallLog = z.object({
  id: CallLogId,
  ...optionalRecordPatient,
  callerPhone: z.string(),
  callDirection: Direction,
  callStatus: CallStatus,
  callDuration: z.number().int(),
  callIntent: z.string().nullable(),
  transcription: z.string().nullable(),
  handledByAi: z.boolean(),
  transferredToHuman: z.boolean(),
  transferredTo: z.string().nullable(),
  callNotes: z.string().nullable(),
  followUpRequired: z.boolean(),
  followUpOwner: z.string().nullable(),
  followUpDueOn: z.string().nullable(),
  followUpStatus: FollowUpStatus,
  ...recordMeta,
})
export type CallLog = z.infer<typeof CallLog>

const fields = {
  callerPhone: line(50).pipe(z.string().min(1, 'Please enter the phone number')),
  callDirection: Direction,
  callStatus: CallStatus,
  callDuration: z
    .number({ error: 'Please enter the seconds' })
    .int('Please enter whole seconds')
    .min(0, 'Please enter 0 seconds or more')
    .max(86_400, 'Please enter at most 24 hours'),
  callIntent: optionalLine(200),
  transcription: optionalText(20_000),
  transferredTo: optionalLine(100),
  callNotes: optionalText(2_000),
  followUpRequired: z.boolean(),
  followUpOwner: optionalLine(100),
  followUpDueOn: CalendarDate.nullable(),
}

export const NewCallLog = z.strictObject({
  patientId: PatientId.nullable().default(null),
  ...fields,
  callDirection: fields.callDirection.default('inbound'),
  callStatus: fields.callStatus.default('completed'),
  callDuration: fields.callDuration.default(0),
  callIntent: fields.callIntent.default(null),
  transcription: fields.transcription.default(null),
  transferredTo: fields.transferredTo.default(null),
  callNotes: fields.callNotes.default(null),
  followUpRequired: fields.followUpRequired.default(false),
  followUpOwner: fields.followUpOwner.default(null),
  followUpDueOn: fields.followUpDueOn.default(null),
})

export const CallLogChange = z.strictObject({
  ...z.strictObject(fields).partial().shape,
  followUpStatus: FollowUpStatus.optional(),
  ...recordRevision,
})

const calls = recordEndpoints({
  path: '/api/call-logs',
  id: CallLogId,
  read: 'scheduling',
  write: 'scheduling',
  status: FollowUpStatus,
  filters: { followUpRequired: queryFlag },
  reply: CallLog,
  add: NewCallLog,
  change: CallLogChange,
  withhold: (call, may) => (may('clinical:read') ? call : { ...call, transcription: null }),
})

/** Lists calls, newest first. `search` matches the patient's name and the phone number. */
export const listCallLogs = calls.list

/** The records of a filtered list as a CSV file, newest first, at most 10,000. */
export const exportCallLogs = calls.exportCsv

/** A call with its history, newest first. */
export const getCallLog = calls.get

/** Adds a call to the log. */
export const addCallLog = calls.add

/**
 * Changes a call or its follow-up: open or done. 409 `changed-meanwhile` when another user has changed it since `revision`.
 */
export const changeCallLog = calls.change
