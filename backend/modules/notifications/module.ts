import type { Module } from '#modules/module.ts'
import { NotificationPreferencesChanged, NotificationsRead } from './events.ts'
import { requestDigests, sendDigest } from './jobs.ts'
import {
  notificationPreferencesProjection,
  notificationReadsProjection,
  notificationRemovedPatientsProjection,
  notificationsProjection,
} from './projection.ts'
import { notificationRoutes } from './routes.ts'
import { notificationSettings } from './settings.ts'

/** The notifications of users: derived from the events of other modules, read by each person. */
export const notifications: Module = {
  name: 'notifications',
  events: [NotificationsRead, NotificationPreferencesChanged],
  projections: [
    notificationsProjection,
    notificationRemovedPatientsProjection,
    notificationReadsProjection,
    notificationPreferencesProjection,
  ],
  jobs: [requestDigests, sendDigest],
  settings: notificationSettings,
  // New notifications come with the hints of the events that they are derived from.
  liveUpdates: [
    { kinds: ['notifications'], events: [NotificationsRead, NotificationPreferencesChanged], onlyForActor: true },
  ],
  routes: notificationRoutes,
}
