import { hasPermission, type Permission, type Role } from '#contracts/values/roles.ts'
import { type AccessStatus } from '#contracts/values/tiers.ts'
import type { Choices } from './decider.ts'

/** A switch of the settings that steers notifications. */
type Switch = Exclude<keyof Choices, 'dailyDigest'>

/**
 * The stored kinds of notification: the permission that a person needs to see one, and the switch that turns it off. Those about
 * the account have none, nor have messages of patients, which wait for an answer. An appointment that was cancelled or moved can also be shown as a freed slot.
 */
export const notificationKinds = {
  'appointment-cancelled': { permission: 'scheduling', switch: 'appointmentReminders' },
  'appointment-moved': { permission: 'scheduling', switch: 'appointmentReminders' },
  'emergency-booked': { permission: 'scheduling', switch: 'appointmentReminders' },
  'confirmation-declined': { permission: 'scheduling', switch: 'appointmentReminders' },
  'offer-accepted': { permission: 'scheduling', switch: 'appointmentReminders' },
  'message-received': { permission: 'scheduling', switch: null },
  'form-submitted': { permission: 'patients:read', switch: 'formSubmissions' },
  'form-urgent': { permission: 'clinical:read', switch: 'aiAlerts' },
  'coverage-denied': { permission: 'insurance', switch: 'insuranceUpdates' },
  'coverage-expired': { permission: 'insurance', switch: 'insuranceUpdates' },
  'import-finished': { permission: 'patients:write', switch: null },
  'import-failed': { permission: 'patients:write', switch: null },
  'member-joined': { permission: 'users', switch: null },
  'payment-failed': { permission: 'billing', switch: null },
  'subscription-ending': { permission: 'billing', switch: null },
  'subscription-canceled': { permission: 'billing', switch: null },
} as const satisfies Record<string, { permission: Permission; switch: Switch | null }>

export type NotificationKind = keyof typeof notificationKinds

/** A person in a practice, with the access of that practice. */
type Reader = { role: Role; isOwner: boolean } & Pick<AccessStatus, 'hasLapsed'>

/** Returns the kinds that a person may see and has not switched off. */
export function listVisibleKinds(who: Reader, choices: Choices): NotificationKind[] {
  return (Object.keys(notificationKinds) as NotificationKind[]).filter((kind) => {
    // A checkout that was never paid is canceled, too, and a canceled plan can be used until its period ends.
    if (kind === 'subscription-canceled' && !who.hasLapsed) return false
    const { permission, switch: steering } = notificationKinds[kind]
    return hasPermission(who, permission) && (steering === null || choices[steering])
  })
}
