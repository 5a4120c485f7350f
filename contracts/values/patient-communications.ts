import { z } from 'zod'

/** The status of a message from or to a patient (spec page 2, section 4.8). */
export const CommunicationStatus = z.enum(['sent', 'read', 'answered', 'failed'], { error: 'Please choose a status' })
export type CommunicationStatus = z.infer<typeof CommunicationStatus>

/** The way of a message. */
export const CommunicationType = z.enum(['phone', 'sms', 'email', 'letter', 'portal', 'in-person'], {
  error: 'Please choose the way of the message',
})

/** The priority of a message (spec page 2, section 4.8). */
export const CommunicationPriority = z.enum(['low', 'normal', 'high'], { error: 'Please choose a priority' })
