import { z } from 'zod'
import { CallStatus, Direction } from '#contracts/values/call-logs.ts'
import { CallLogId } from '#contracts/values/ids.ts'
import { phi } from '#eventstore/event.ts'
import { defineRecordEvents } from '#modules/records/events.ts'

const optionalText = () => phi(z.string().nullable())

/** The history of a call in the log of calls. */
export const callEvents = defineRecordEvents({
  names: { created: 'CallLogged', changed: 'CallLogChanged' },
  id: { field: 'callLogId', schema: CallLogId },
  patient: 'optional',
  statusField: 'followUpStatus',
  fields: {
    callerPhone: phi(z.string()),
    callDirection: Direction,
    callStatus: CallStatus,
    /** Seconds. */
    callDuration: z.number().int().min(0),
    callIntent: optionalText(),
    transcription: optionalText(),
    handledByAi: z.boolean(),
    transferredToHuman: z.boolean(),
    transferredTo: optionalText(),
    callNotes: optionalText(),
    followUpRequired: z.boolean(),
    followUpOwner: optionalText(),
    followUpDueOn: phi(z.iso.date().nullable()),
  },
  initialStatus: 'open',
  transitions: {
    CallFollowUpFinished: { from: ['open'], to: 'done', data: {} },
    CallFollowUpReopened: { from: ['done'], to: 'open', data: {} },
  },
})

export const CallLogEvent = callEvents.schema
export type CallLogEvent = z.infer<typeof CallLogEvent>
