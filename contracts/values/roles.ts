import { z } from 'zod'

/**
 * The role of a user in the practice (product.md 2). Ownership is independent of the role. A reviewer checks the records for
 * a limited time: the membership has a last day.
 */
export const Role = z.enum(['doctor', 'nurse', 'staff', 'administrator', 'reviewer'])
export type Role = z.infer<typeof Role>

export const Permission = z.enum([
  'patients:read',
  'patients:write',
  'clinical:read',
  'clinical:write',
  'prescribing',
  'scheduling',
  'insurance',
  'billing',
  'ai',
  'users',
  'settings',
  'audit',
])
export type Permission = z.infer<typeof Permission>

/** The permissions of each role. `clinical` means medical history, allergies and medications. */
const rights: Record<Role, readonly Permission[]> = {
  doctor: ['patients:read', 'patients:write', 'clinical:read', 'clinical:write', 'prescribing', 'scheduling', 'ai'],
  nurse: ['patients:read', 'patients:write', 'clinical:read', 'clinical:write', 'scheduling'],
  staff: ['patients:read', 'patients:write', 'scheduling', 'billing', 'insurance'],
  administrator: Permission.options,
  // Writes nothing: reads the audit trail and the records that it rests on.
  reviewer: ['audit', 'patients:read', 'clinical:read'],
}

/** Returns whether a user has a permission in their practice; the owner has every permission. */
export const hasPermission = (who: { role: Role; isOwner: boolean }, permission: Permission): boolean =>
  who.isOwner || rights[who.role].includes(permission)
