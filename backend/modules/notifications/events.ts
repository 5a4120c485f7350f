import { z } from 'zod'
import { NotificationId, PracticeId, UserId } from '#contracts/values/ids.ts'
import { event } from '#eventstore/event.ts'

const choices = z
  .strictObject({
    appointmentReminders: z.boolean(),
    aiAlerts: z.boolean(),
    formSubmissions: z.boolean(),
    insuranceUpdates: z.boolean(),
    dailyDigest: z.boolean(),
  })
  .partial()

/** A person has seen these notifications; each is named once. */
export const NotificationsRead = event('NotificationsRead', {
  userId: UserId,
  practiceId: PracticeId,
  notificationIds: z.array(NotificationId).min(1),
})
export type NotificationsRead = z.infer<typeof NotificationsRead>

/** A person chose which notices to receive. `from` and `to` contain only the changed choices. */
export const NotificationPreferencesChanged = event('NotificationPreferencesChanged', {
  userId: UserId,
  practiceId: PracticeId,
  from: choices,
  to: choices,
})
export type NotificationPreferencesChanged = z.infer<typeof NotificationPreferencesChanged>
