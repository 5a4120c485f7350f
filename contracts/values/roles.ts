import { z } from 'zod'

/** The role of a user in the practice (product.md 2). Ownership is independent of the role. */
export const Role = z.enum(['doctor', 'nurse', 'staff', 'administrator'])
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
}

/** Returns whether a user has a permission in their practice; the owner has every permission. */
export const hasPermission = (who: { role: Role; isOwner: boolean }, permission: Permission): boolean =>
  who.isOwner || rights[who.role].includes(permission)
