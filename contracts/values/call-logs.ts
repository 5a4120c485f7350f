import { z } from 'zod'

/** The direction of a call or a message, seen from the practice. */
export const Direction = z.enum(['inbound', 'outbound'], { error: 'Please choose a direction' })
export type Direction = z.infer<typeof Direction>

/** The way a call ended. */
export const CallStatus = z.enum(['completed', 'missed', 'voicemail', 'busy', 'failed'], {
  error: 'Please choose how the call ended',
})
export type CallStatus = z.infer<typeof CallStatus>

/** The status of a call in the log; `done` when its follow-up is finished. */
export const FollowUpStatus = z.enum(['open', 'done'], { error: 'Please choose a status' })
export type FollowUpStatus = z.infer<typeof FollowUpStatus>
