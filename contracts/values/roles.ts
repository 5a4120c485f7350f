import { z } from 'zod'

/** What someone does in the practice (product.md 2). Ownership of a practice is a fact of its own, beside the role. */
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

/** The one table of rights. `clinical` means medical history, allergies and medications. */
const rights: Record<Role, readonly Permission[]> = {
  doctor: ['patients:read', 'patients:write', 'clinical:read', 'clinical:write', 'prescribing', 'scheduling', 'ai'],
  nurse: ['patients:read', 'patients:write', 'clinical:read', 'clinical:write', 'scheduling'],
  staff: ['patients:read', 'patients:write', 'scheduling', 'billing', 'insurance'],
  administrator: Permission.options,
}

/** Whether somebody may do something in their practice; the owner may do everything. */
export const hasPermission = (who: { role: Role; isOwner: boolean }, permission: Permission): boolean =>
  who.isOwner || rights[who.role].includes(permission)
