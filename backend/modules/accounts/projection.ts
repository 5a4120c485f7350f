import type { PlanId, SubscriptionStatus } from '#contracts/values/plans.ts'
import type { Role } from '#contracts/values/roles.ts'
import type { PracticeEvent } from '#modules/practices/events.ts'
import { defineProjection } from '#projections/projection.ts'
import type { UserEvent } from './events.ts'

/** The row of an account. Session permissions are read from it with every request. */
export type UserRow = {
  user_id: string
  email: string
  username: string
  first_name: string
  last_name: string
  role: Role
  newsletter_opt_in: boolean
  practice_id: string | null
  is_owner: boolean
  subscription_status: SubscriptionStatus
  subscription_tier: PlanId
  created_at: string
  updated_at: string
}

type UsersEvent = UserEvent | Extract<PracticeEvent, { type: 'PracticeSetUp' | 'PracticeSetupCompleted' }>

/** Returns the row of a user who registered at an instant. */
export const createUserRow = (
  { userId, email, username, firstName, lastName, role, newsletterOptIn }: NewUser,
  at: string,
): UserRow => ({
  user_id: userId,
  email,
  username,
  first_name: firstName,
  last_name: lastName,
  role,
  newsletter_opt_in: newsletterOptIn,
  practice_id: null,
  is_owner: false,
  subscription_status: 'demo',
  subscription_tier: 'starter',
  created_at: at,
  updated_at: at,
})
type NewUser = Omit<Extract<UserEvent, { type: 'UserRegistered' }>['data'], 'addressHash'>

/** One row per account, with its practice. */
export const users = defineProjection<UsersEvent, UserRow>({
  name: 'users',
  version: 2,
  key: 'user_id',
  columns: {
    user_id: 'uuid',
    email: 'text',
    username: 'text',
    first_name: 'text',
    last_name: 'text',
    role: 'text',
    newsletter_opt_in: 'bool',
    practice_id: 'uuid',
    is_owner: 'bool',
    subscription_status: 'text',
    subscription_tier: 'text',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
  },
  indexes: ['(practice_id)'],
  rowOf: ({ data }) => ('ownerId' in data ? data.ownerId : data.userId),
  on: {
    UserRegistered: (_row, { data, metadata }) => createUserRow(data, metadata.at),
    PracticeSetUp: (row, { data, metadata: { at } }) =>
      row && { ...row, practice_id: data.practiceId, is_owner: true, updated_at: at },
    PracticeSetupCompleted: (row, { data, metadata: { at } }) =>
      row && { ...row, newsletter_opt_in: data.newsletterOptIn, updated_at: at },
    RegistrationAbandoned: 'ignore',
  },
})
