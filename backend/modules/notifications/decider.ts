import type { NotificationId, PracticeId, UserId } from '#contracts/values/ids.ts'
import type { Decider } from '#eventstore/decider.ts'
import { NotificationPreferencesChanged, NotificationsRead } from './events.ts'

/** The notices that a person chose, by switch. */
export type Choices = Readonly<Required<NotificationPreferencesChanged['data']['to']>>

/** The choices of a person who has changed none. */
export const defaultChoices: Choices = {
  appointmentReminders: true,
  aiAlerts: true,
  formSubmissions: true,
  insuranceUpdates: true,
  dailyDigest: false,
}

type Person = { userId: UserId; practiceId: PracticeId }

/** Changes some choices of a person. */
export type PreferenceCommand = { type: 'ChangePreferences'; choices: Partial<Choices> } & Person

/** The choices of one person. */
export const preferenceDecider: Decider<PreferenceCommand, NotificationPreferencesChanged, Choices, never> = {
  category: 'notification-preferences',
  events: NotificationPreferencesChanged,
  initial: defaultChoices,
  decide({ userId, practiceId, choices }, state) {
    const names = Object.keys(defaultChoices) as (keyof Choices)[]
    const changed = names.filter((name) => choices[name] !== undefined && choices[name] !== state[name])
    const pick = (source: Partial<Choices>) => Object.fromEntries(changed.map((name) => [name, source[name]]))
    return changed.length === 0
      ? []
      : [{ type: 'NotificationPreferencesChanged', data: { userId, practiceId, from: pick(state), to: pick(choices) } }]
  },
  evolve: (state, { data }) => ({ ...state, ...data.to }),
}

/** Marks notifications as read by a person. */
export type ReadCommand = { type: 'MarkRead'; notificationIds: readonly NotificationId[] } & Person

/** The ids of the notifications that were read in the stream's month. */
export type ReadState = ReadonlySet<NotificationId>

/**
 * The notifications that one person has read. One stream per month (`getReadStreamId`), so that marking one as read never loads
 * the reading of years.
 */
export const readDecider: Decider<ReadCommand, NotificationsRead, ReadState, never> = {
  category: 'notification-reads',
  events: NotificationsRead,
  initial: new Set(),
  decide({ userId, practiceId, notificationIds }, state) {
    const unread = [...new Set(notificationIds)].filter((id) => !state.has(id))
    return unread.length === 0
      ? []
      : [{ type: 'NotificationsRead', data: { userId, practiceId, notificationIds: unread } }]
  },
  evolve: (state, { data }) => new Set([...state, ...data.notificationIds]),
}

/** Returns the id of the stream for what a person reads at an instant: by month, in UTC. */
export const getReadStreamId = (userId: UserId, at: Date): string => `${userId}-${at.toISOString().slice(0, 7)}`
