import { z } from 'zod'

/** The status of a referral. */
export const ReferralStatus = z.enum(['pending', 'sent', 'scheduled', 'completed', 'cancelled'], {
  error: 'Please choose a status',
})
export type ReferralStatus = z.infer<typeof ReferralStatus>

/** The urgency of a referral (spec page 2, section 3.2). */
export const ReferralUrgency = z.enum(['routine', 'urgent', 'emergency'], { error: 'Please choose an urgency' })

/** The fields that a status cannot do without. */
export const referralRequirements = {
  sent: [['selectedSpecialistInfo', 'Please enter the specialist']],
  scheduled: [['appointmentDate', 'Please enter the day of the appointment']],
} as const
