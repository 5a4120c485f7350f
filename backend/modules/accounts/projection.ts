import type { PlanId, SubscriptionStatus } from '#contracts/values/plans.ts'
import type { Role } from '#contracts/values/roles.ts'
import type { PracticeEvent } from '#modules/practices/events.ts'
import type { TeamEvent } from '#modules/team/events.ts'
import { defineProjection } from '#projections/projection.ts'
import type { PasskeyEvent, TwoFactorEvent, UserEvent } from './events.ts'

/** The row of an account. Session permissions are read from it with every request. */
export type UserRow = {
  user_id: string
  email: string
  username: string
  first_name: string
  last_name: string
  role: Role
  newsletter_opt_in: boolean
  /** True until the address of the registration is confirmed, where this was asked. */
  must_prove_email: boolean
  /** True while signing in asks for a code. */
  two_factor: boolean
  /** The number of passkeys in force. */
  passkeys: number
  practice_id: string | null
  is_owner: boolean
  /** The instant at which the user joined the practice. */
  joined_at: string | null
  suspended_at: string | null
  /** The end of a reviewer's membership: the last day in the practice's time zone, and the instant at which it is over. */
  last_day: string | null
  ends_at: string | null
  subscription_status: SubscriptionStatus
  subscription_tier: PlanId
  created_at: string
  updated_at: string
}

type UsersEvent =
  | UserEvent
  | Extract<TwoFactorEvent, { type: 'TwoFactorEnabled' | 'TwoFactorDisabled' | 'TwoFactorReset' }>
  | PasskeyEvent
  | Extract<PracticeEvent, { type: 'PracticeSetUp' | 'PracticeSetupCompleted' }>
  | Exclude<TeamEvent, { type: 'TeamStarted' | 'ProviderLinked' | 'MemberTwoFactorReset' }>

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
  must_prove_email: false,
  two_factor: false,
  passkeys: 0,
  practice_id: null,
  is_owner: false,
  joined_at: null,
  suspended_at: null,
  last_day: null,
  ends_at: null,
  subscription_status: 'demo',
  subscription_tier: 'starter',
  created_at: at,
  updated_at: at,
})
type NewUser = Omit<Extract<UserEvent, { type: 'UserRegistered' }>['data'], 'addressHash'>

/** Changes the row of a member of a practice; the row of anyone else stays. */
const updateMember = (row: UserRow | null, practiceId: string, change: Partial<UserRow>): UserRow | null =>
  row?.practice_id === practiceId ? { ...row, ...change } : row

/** One row per account, with its practice. */
export const users = defineProjection<UsersEvent, UserRow>({
  name: 'users',
  version: 6,
  key: 'user_id',
  columns: {
    user_id: 'uuid',
    email: 'text',
    username: 'text',
    first_name: 'text',
    last_name: 'text',
    role: 'text',
    newsletter_opt_in: 'bool',
    must_prove_email: 'bool',
    two_factor: 'bool',
    passkeys: 'int4',
    practice_id: 'uuid',
    is_owner: 'bool',
    joined_at: 'timestamptz',
    suspended_at: 'timestamptz',
    last_day: 'date',
    ends_at: 'timestamptz',
    subscription_status: 'text',
    subscription_tier: 'text',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
  },
  indexes: ['(practice_id)'],
  rowOf({ type, data }) {
    if (type === 'OwnershipTransferred') return [data.from, data.to]
    return 'ownerId' in data ? data.ownerId : data.userId
  },
  on: {
    UserRegistered: (_row, { data, metadata }) => createUserRow(data, metadata.at),
    PracticeSetUp: (row, { data, metadata: { at } }) =>
      // An account belongs to the first practice that it joins or sets up.
      row && row.practice_id === null
        ? { ...row, practice_id: data.practiceId, is_owner: true, joined_at: at, updated_at: at }
        : row,
    PracticeSetupCompleted: (row, { data, metadata: { at } }) =>
      row && { ...row, newsletter_opt_in: data.newsletterOptIn, updated_at: at },
    EmailProofRequested: (row) => row && { ...row, must_prove_email: true },
    EmailProved: (row, { metadata: { at } }) => row && { ...row, must_prove_email: false, updated_at: at },
    RegistrationAbandoned: 'ignore',
    EmailChangeRequested: 'ignore',
    EmailChanged: (row, { data, metadata: { at } }) =>
      row && { ...row, email: data.to, must_prove_email: false, updated_at: at },
    EmailChangeAbandoned: 'ignore',
    TwoFactorEnabled: (row) => row && { ...row, two_factor: true },
    TwoFactorDisabled: (row) => row && { ...row, two_factor: false },
    TwoFactorReset: (row) => row && { ...row, two_factor: false },
    PasskeyAdded: (row) => row && { ...row, passkeys: row.passkeys + 1 },
    PasskeyRemoved: (row) => row && { ...row, passkeys: row.passkeys - 1 },
    PasskeysReset: (row, { data }) => row && { ...row, passkeys: row.passkeys - data.passkeyIds.length },
    ProfileChanged: (row, { data: { to }, metadata: { at } }) =>
      row && {
        ...row,
        first_name: to.firstName ?? row.first_name,
        last_name: to.lastName ?? row.last_name,
        username: to.username ?? row.username,
        updated_at: at,
      },
    UsernameGivenUp: 'ignore',
    // One account belongs to one practice: the first.
    MemberJoined: (row, { data: { practiceId, role, lastDay, endsAt }, metadata: { at } }) =>
      row?.practice_id === null
        ? { ...row, practice_id: practiceId, role, joined_at: at, last_day: lastDay, ends_at: endsAt, updated_at: at }
        : row,
    MemberRoleChanged: (row, { data: { practiceId, to, lastDay, endsAt }, metadata: { at } }) =>
      updateMember(row, practiceId, { role: to, last_day: lastDay, ends_at: endsAt, updated_at: at }),
    MemberSuspended: (row, { data: { practiceId }, metadata: { at } }) =>
      updateMember(row, practiceId, { suspended_at: at, updated_at: at }),
    MemberReinstated: (row, { data: { practiceId }, metadata: { at } }) =>
      updateMember(row, practiceId, { suspended_at: null, updated_at: at }),
    OwnershipTransferred: (row, { data: { practiceId, to }, metadata: { at } }, userId) =>
      updateMember(row, practiceId, {
        is_owner: userId === to,
        ...(userId === to ? {} : { role: 'administrator' as const }),
        updated_at: at,
      }),
  },
})
