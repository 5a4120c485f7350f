import { NotificationId, PracticeId, UserId } from '#contracts/values/ids.ts'

export const userId = UserId.parse('018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0003')
export const practiceId = PracticeId.parse('018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0002')

/** Returns one of up to 100 ids. */
export const notificationId = (n: number): NotificationId =>
  NotificationId.parse(`018f3b1e-7b1a-4c3e-9a53-0d6f1f1f01${String(n).padStart(2, '0')}`)
