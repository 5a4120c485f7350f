import { z } from 'zod'
import { nameField, Username } from './accounts.ts'
import { endpoint } from './endpoint.ts'
import { Role } from './values/roles.ts'

/** The fields of the own account that users change (spec page 2, section 2.8). */
export const ProfileFields = z.strictObject({
  firstName: nameField('first name'),
  lastName: nameField('last name'),
  username: Username,
})
export type ProfileFields = z.output<typeof ProfileFields>
export type ProfileField = keyof ProfileFields

/** The changed fields only. `revision` is the revision on which the change is based. */
export const ProfileChange = ProfileFields.partial().extend({ revision: z.number().int().min(0).optional() })

/** The account of the signed-in user as the settings show it. */
export const Profile = z.object({
  firstName: z.string(),
  lastName: z.string(),
  username: z.string(),
  email: z.string(),
  role: Role,
  isOwner: z.boolean(),
  revision: z.number(),
})
export type Profile = z.infer<typeof Profile>

/** Returns the profile of the signed-in user. */
export const getProfile = endpoint({
  method: 'GET',
  path: '/api/account/profile',
  access: 'signed-in',
  reply: Profile,
})

/**
 * Changes the profile of the signed-in user. 409 `username-taken` at `username`; 409 `changed-meanwhile` with `changes` when
 * `revision` is given and a field was changed since.
 */
export const changeProfile = endpoint({
  method: 'PATCH',
  path: '/api/account/profile',
  access: 'signed-in',
  body: ProfileChange,
  reply: Profile,
})
