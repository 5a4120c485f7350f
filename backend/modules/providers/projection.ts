import type { Recorded } from '#eventstore/event.ts'
import { defineProjection } from '#projections/projection.ts'
import type { InvitationEvent, TeamEvent } from '#modules/team/events.ts'
import type { ProviderEvent } from './events.ts'

type ProviderRow = {
  id: string
  practice_id: string
  user_id: string | null
  name: string
  title: string | null
  colour: string
  active: boolean
  /** The time zone of the days of the schedule. */
  timezone: string
  revision: number
  created_at: string
  updated_at: string
}

const updateRow = (row: ProviderRow | null, { revision, metadata }: Recorded, to: Partial<ProviderRow>) =>
  row && { ...row, ...to, revision: Number(revision), updated_at: metadata.at }

/** One row per provider. */
export const providersProjection = defineProjection<
  ProviderEvent | Extract<TeamEvent, { type: 'ProviderLinked' }>,
  ProviderRow
>({
  name: 'providers',
  version: 2,
  columns: {
    id: 'uuid',
    practice_id: 'uuid',
    user_id: 'uuid',
    name: 'text',
    title: 'text',
    colour: 'text',
    active: 'bool',
    timezone: 'text',
    revision: 'int8',
    created_at: 'timestamptz',
    updated_at: 'timestamptz',
  },
  key: 'id',
  indexes: ['(practice_id, created_at)'],
  rowOf: ({ type, data }) =>
    type === 'ProviderLinked' ? [data.from, data.to].filter((id) => id !== null) : data.providerId,
  on: {
    ProviderAdded: (_, { data, metadata, revision }) => ({
      id: data.providerId,
      practice_id: data.practiceId,
      user_id: data.userId,
      name: data.name,
      title: data.title,
      colour: data.colour,
      active: true,
      timezone: data.timezone,
      revision: Number(revision),
      created_at: metadata.at,
      updated_at: metadata.at,
    }),
    ProviderDetailsChanged: (row, event) => {
      const { name, title, colour } = event.data.to
      return updateRow(row, event, {
        ...(name === undefined ? {} : { name }),
        ...(title === undefined ? {} : { title }),
        ...(colour === undefined ? {} : { colour }),
      })
    },
    ProviderDeactivated: (row, event) => updateRow(row, event, { active: false }),
    ProviderReactivated: (row, event) => updateRow(row, event, { active: true }),
    // The revision is that of the provider's own events.
    ProviderLinked: (row, { data: { to, userId } }, providerId) =>
      row && { ...row, user_id: providerId === to ? userId : null },
  },
})

type InvitedProviderRow = {
  invitation_id: string
  practice_id: string
  /** The instant from which the link no longer works. */
  expires_at: string
  /** The person who accepted the invitation, and the instant; null before. */
  user_id: string | null
  accepted_at: string | null
}

/** The invitations that add a provider when they are accepted, one row each. They reserve a seat. */
export const invitedProvidersProjection = defineProjection<InvitationEvent, InvitedProviderRow>({
  name: 'invited_providers',
  version: 1,
  columns: {
    invitation_id: 'uuid',
    practice_id: 'uuid',
    expires_at: 'timestamptz',
    user_id: 'uuid',
    accepted_at: 'timestamptz',
  },
  key: 'invitation_id',
  indexes: ['(practice_id)'],
  rowOf: ({ data }) => data.invitationId,
  on: {
    MemberInvited: (_, { data: { invitationId, practiceId, isProvider, expiresAt } }) =>
      isProvider
        ? {
            invitation_id: invitationId,
            practice_id: practiceId,
            expires_at: expiresAt,
            user_id: null,
            accepted_at: null,
          }
        : null,
    InvitationSentAgain: (row, { data }) => row && { ...row, expires_at: data.expiresAt },
    InvitationRevoked: () => null,
    InvitationAccepted: (row, { data, metadata }) => row && { ...row, user_id: data.userId, accepted_at: metadata.at },
  },
})
