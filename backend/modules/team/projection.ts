import type { Role } from '#contracts/values/roles.ts'
import { defineProjection } from '#projections/projection.ts'
import type { InvitationEvent } from './events.ts'

type InvitationRow = {
  id: string
  practice_id: string
  email: string
  role: Role
  is_provider: boolean
  last_day: string | null
  sent_by: string
  sent_at: string
  expires_at: string
}

/** The invitations that were neither accepted nor revoked, one row each. */
export const teamInvitations = defineProjection<InvitationEvent, InvitationRow>({
  name: 'team_invitations',
  version: 1,
  columns: {
    id: 'uuid',
    practice_id: 'uuid',
    email: 'text',
    role: 'text',
    is_provider: 'bool',
    last_day: 'date',
    sent_by: 'uuid',
    sent_at: 'timestamptz',
    expires_at: 'timestamptz',
  },
  key: 'id',
  indexes: ['(practice_id, sent_at)'],
  rowOf: ({ data }) => data.invitationId,
  on: {
    MemberInvited: (_, { data, metadata }) => ({
      id: data.invitationId,
      practice_id: data.practiceId,
      email: data.email,
      role: data.role,
      is_provider: data.isProvider,
      last_day: data.lastDay,
      sent_by: data.invitedBy,
      sent_at: metadata.at,
      expires_at: data.expiresAt,
    }),
    InvitationSentAgain: (row, { data, metadata }) =>
      row && { ...row, sent_by: data.sentBy, sent_at: metadata.at, expires_at: data.expiresAt },
    InvitationRevoked: () => null,
    InvitationAccepted: () => null,
  },
})
