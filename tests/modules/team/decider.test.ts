import { describe, expect, it } from 'vitest'
import { fold } from '#eventstore/decider.ts'
import { checkLink, invitationDecider, teamDecider } from '#modules/team/decider.ts'
import type { InvitationEvent } from '#modules/team/events.ts'
import { deciderSpec } from '#tests/support/decider-spec.ts'
import {
  at,
  expiresAt,
  invitation,
  invitationId,
  invited,
  joined,
  kim,
  noEnd,
  owner,
  practiceId,
  providerId,
  reviewerEnd,
  robin,
  sam,
  started,
  suspended,
} from './fixtures.ts'

describe('an invitation', () => {
  const given = deciderSpec(invitationDecider)
  const later = '2026-11-28T08:00:00.000Z'
  const invite = { type: 'Invite', invitation, by: owner, at } as const
  const sentAgain = {
    type: 'InvitationSentAgain',
    data: { invitationId, sentBy: sam, linkNumber: 2, expiresAt: '2026-11-28T08:00:00.000Z' },
  } as const
  const revoked = { type: 'InvitationRevoked', data: { invitationId } } as const
  const accepted = { type: 'InvitationAccepted', data: { invitationId, practiceId, userId: robin } } as const

  it('works for seven days', () => given().when(invite).then(invited))

  it('is not sent twice while it works', () => given(invited).when(invite).thenRefused('already-invited'))

  it.each([
    ['expired', [invited], later],
    ['was revoked', [invited, revoked], at],
    ['was accepted', [invited, accepted], at],
  ] as const)('can be made again once it %s', (_, history, instant) =>
    given(...history)
      .when({ ...invite, at: instant })
      .then({
        type: 'MemberInvited',
        data: {
          ...invitation,
          invitedBy: owner,
          linkNumber: 2,
          expiresAt: instant === at ? expiresAt : '2026-12-05T08:00:00.000Z',
        },
      }),
  )

  it('gets a new link when it is sent again', () =>
    given(invited).when({ type: 'SendAgain', practiceId, by: sam, at: '2026-11-21T08:00:00.000Z' }).then(sentAgain))

  it('is accepted once, by the person who accepted it first', () => {
    const accept = { type: 'Accept', linkNumber: 1, userId: robin, at } as const
    given(invited).when(accept).then(accepted)
    given(invited, accepted).when(accept).thenNothing()
    given(invited, accepted)
      .when({ ...accept, userId: sam })
      .thenRefused('invitation-used')
  })

  it('is not accepted once it expired, was revoked or was sent again', () => {
    const accept = { type: 'Accept', linkNumber: 1, userId: robin, at } as const
    given().when(accept).thenRefused('not-found')
    given(invited)
      .when({ ...accept, at: expiresAt })
      .thenRefused('invitation-expired')
    given(invited, revoked).when(accept).thenRefused('invitation-revoked')
    given(invited, sentAgain).when(accept).thenRefused('invitation-replaced')
    given(invited, sentAgain)
      .when({ ...accept, linkNumber: 2 })
      .then(accepted)
  })

  it('is revoked and sent again by its own practice, while it is open', () => {
    const other = invitationId as unknown as typeof practiceId
    const sendAgain = { type: 'SendAgain', by: sam, at } as const
    given(invited).when({ type: 'Revoke', practiceId }).then(revoked)
    given(invited).when({ type: 'Revoke', practiceId: other }).thenRefused('not-found')
    given(invited, revoked).when({ type: 'Revoke', practiceId }).thenRefused('not-found')
    given(invited)
      .when({ ...sendAgain, practiceId: other })
      .thenRefused('not-found')
    given(invited, accepted)
      .when({ ...sendAgain, practiceId })
      .thenRefused('not-found')
  })

  it('explains why a link does not work', () => {
    const explain = (history: readonly InvitationEvent[], instant = at) => {
      const state = fold(invitationDecider, history)
      return state.status === 'none' ? null : checkLink(state, 1, instant)?.message
    }
    expect([
      explain([invited]),
      explain([invited, accepted]),
      explain([invited, revoked]),
      explain([invited, sentAgain]),
      explain([invited], expiresAt),
    ]).toEqual([
      undefined,
      'This invitation was accepted already. Sign in with your email and password.',
      'This invitation was withdrawn. Ask the practice for a new one.',
      'A newer invitation was sent to you. Use the link in the latest message.',
      'This invitation has expired. Ask the practice to send it again.',
    ])
  })

  it('of a reviewer works, and is sent again, until the membership would be over', () => {
    const endsAt = '2026-11-22T05:00:00.000Z'
    const before = '2026-11-22T04:59:59.999Z'
    const reviewer: InvitationEvent = {
      type: 'MemberInvited',
      data: {
        ...invitation,
        role: 'reviewer',
        lastDay: '2026-11-21',
        endsAt,
        invitedBy: owner,
        linkNumber: 1,
        expiresAt,
      },
    }
    const accept = { type: 'Accept', linkNumber: 1, userId: robin } as const
    const sendAgain = { type: 'SendAgain', practiceId, by: sam } as const
    given(reviewer)
      .when({ ...accept, at: before })
      .then(accepted)
    given(reviewer)
      .when({ ...accept, at: endsAt })
      .thenRefused('invitation-expired')
    given(reviewer)
      .when({ ...sendAgain, at: before })
      .then({ ...sentAgain, data: { ...sentAgain.data, expiresAt: '2026-11-29T04:59:59.999Z' } })
    given(reviewer)
      .when({ ...sendAgain, at: endsAt })
      .thenRefused('membership-over')
  })

  it('can be made again at the instant at which it expires', () => {
    const [again] = invitationDecider.decide({ ...invite, at: expiresAt }, fold(invitationDecider, [invited])) as [
      object,
    ]
    expect(again).toMatchObject({ type: 'MemberInvited', data: { linkNumber: 2 } })
  })
})

describe('a team', () => {
  const given = deciderSpec(teamDecider)

  it('starts once, with the owner', () => {
    const start = { type: 'Start', practiceId, ownerId: owner, role: 'staff' } as const
    given().when(start).then(started)
    given(started).when(start).thenNothing()
  })

  it('knows no members before it starts', () =>
    given().when({ type: 'Suspend', userId: robin, why: null, by: owner }).thenRefused('not-found'))

  it('is joined once', () => {
    const join = { type: 'Join', userId: robin, invitationId, role: 'nurse', ...noEnd } as const
    given(started).when(join).then(joined(robin))
    given(started, joined(robin)).when(join).thenNothing()
  })

  it('records a change of role with from, to and why', () => {
    const change = {
      type: 'ChangeRole',
      userId: robin,
      role: 'doctor',
      ...noEnd,
      why: 'Qualified',
      by: sam,
      knownProviderId: null,
    } as const
    given(started, joined(robin))
      .when(change)
      .then({
        type: 'MemberRoleChanged',
        data: { practiceId, userId: robin, from: 'nurse', to: 'doctor', ...noEnd, why: 'Qualified' },
      })
    given(started, joined(robin))
      .when({ ...change, role: 'nurse' })
      .thenNothing()
    given(started).when(change).thenRefused('not-found')
  })

  it('extends a reviewer', () =>
    given(started, joined(robin, 'reviewer'))
      .when({
        type: 'ChangeRole',
        userId: robin,
        role: 'reviewer',
        lastDay: '2027-04-30',
        endsAt: '2027-05-01T04:00:00.000Z',
        why: null,
        by: owner,
        knownProviderId: null,
      })
      .then({
        type: 'MemberRoleChanged',
        data: {
          practiceId,
          userId: robin,
          from: 'reviewer',
          to: 'reviewer',
          lastDay: '2027-04-30',
          endsAt: '2027-05-01T04:00:00.000Z',
          why: null,
        },
      }))

  it('suspends and reinstates', () => {
    const suspend = { type: 'Suspend', userId: robin, why: null, by: owner } as const
    given(started, joined(robin)).when(suspend).then(suspended(robin))
    given(started, joined(robin), suspended(robin)).when(suspend).thenNothing()
    given(started, joined(robin), suspended(robin))
      .when({ type: 'Reinstate', userId: robin })
      .then({ type: 'MemberReinstated', data: { practiceId, userId: robin } })
    given(started, joined(robin)).when({ type: 'Reinstate', userId: robin }).thenNothing()
  })

  it('protects the owner and the caller', () => {
    const team = [started, joined(robin, 'administrator')]
    given(...team)
      .when({ type: 'Suspend', userId: owner, why: null, by: robin })
      .thenRefused('owner-protected')
    given(...team)
      .when({ type: 'Suspend', userId: robin, why: null, by: robin })
      .thenRefused('own-access')
    const change = {
      type: 'ChangeRole',
      userId: owner,
      role: 'nurse',
      ...noEnd,
      why: null,
      knownProviderId: null,
    } as const
    given(...team)
      .when({ ...change, by: robin })
      .thenRefused('owner-only')
    given(...team)
      .when({ ...change, role: 'reviewer', ...reviewerEnd, by: owner })
      .thenRefused('owner-protected')
    given(...team)
      .when({ ...change, by: owner })
      .then({
        type: 'MemberRoleChanged',
        data: { practiceId, userId: owner, from: 'staff', to: 'nurse', ...noEnd, why: null },
      })
  })

  it('is handed over by its owner, to an active member', () => {
    const transferred = { type: 'OwnershipTransferred', data: { practiceId, from: owner, to: robin } } as const
    const transfer = { type: 'TransferOwnership', to: robin, by: owner, isSetUp: true } as const
    given(started, joined(robin)).when(transfer).then(transferred)
    given(started, joined(robin), transferred).when(transfer).thenNothing()
    given(started, joined(robin), joined(sam, 'administrator'))
      .when({ ...transfer, by: sam })
      .thenRefused('owner-only')
    given(started, joined(robin), suspended(robin)).when(transfer).thenRefused('not-active')
    given(started, joined(robin, 'reviewer')).when(transfer).thenRefused('not-active')
    given(started).when(transfer).thenRefused('not-found')
    given(started, joined(robin))
      .when({ ...transfer, isSetUp: false })
      .thenRefused('not-set-up')
    // Only the one who transferred it may repeat that.
    given(started, joined(robin), joined(sam, 'administrator'), transferred)
      .when({ ...transfer, by: sam })
      .thenRefused('owner-only')
    given(started, joined(robin), joined(sam), transferred)
      .when({ ...transfer, to: sam })
      .thenRefused('owner-only')
    // The former owner is an administrator, whom the new one may suspend.
    given(started, joined(robin), transferred)
      .when({ type: 'Suspend', userId: owner, why: null, by: robin })
      .then(suspended(owner))
  })

  it('links a provider to one member', () => {
    const known = { providerId: null, userId: null }
    const link = { type: 'LinkProvider', userId: robin, providerId, known } as const
    const linked = { type: 'ProviderLinked', data: { practiceId, userId: robin, from: null, to: providerId } } as const
    const team = [started, joined(robin), joined(sam)]
    given(...team)
      .when(link)
      .then(linked)
    given(...team, linked)
      .when(link)
      .thenNothing()
    given(...team, linked)
      .when({ ...link, userId: sam })
      .thenRefused('provider-taken')
    // The owner is the first provider without a link of the team.
    given(...team)
      .when({ ...link, known: { providerId: null, userId: owner } })
      .thenRefused('provider-taken')
    given(...team, linked)
      .when({ ...link, providerId: null })
      .then({ type: 'ProviderLinked', data: { practiceId, userId: robin, from: providerId, to: null } })
    given(...team)
      .when({ ...link, userId: kim })
      .thenRefused('not-found')
    // What the team decided replaces the link that was known first, also for whom it is none any more.
    const ended = { type: 'ProviderLinked', data: { practiceId, userId: sam, from: providerId, to: null } } as const
    given(...team, ended)
      .when({ ...link, known: { providerId: null, userId: sam } })
      .then(linked)
    given(...team, ended)
      .when({ ...link, userId: sam, providerId: null, known: { providerId, userId: sam } })
      .thenNothing()
    given(...team)
      .when({ ...link, providerId: null, known: { providerId, userId: robin } })
      .then({ type: 'ProviderLinked', data: { practiceId, userId: robin, from: providerId, to: null } })
  })

  it('links no provider to a reviewer, and unlinks a member who becomes one', () => {
    const known = { providerId: null, userId: null }
    const link = { type: 'LinkProvider', userId: robin, providerId, known } as const
    const linked = { type: 'ProviderLinked', data: { practiceId, userId: robin, from: null, to: providerId } } as const
    given(started, joined(robin, 'reviewer')).when(link).thenRefused('reviewer')
    const change = {
      type: 'ChangeRole',
      userId: robin,
      role: 'reviewer',
      ...reviewerEnd,
      why: null,
      by: owner,
      knownProviderId: null,
    } as const
    const changed = {
      type: 'MemberRoleChanged',
      data: { practiceId, userId: robin, from: 'nurse', to: 'reviewer', ...reviewerEnd, why: null },
    } as const
    const unlinked = {
      type: 'ProviderLinked',
      data: { practiceId, userId: robin, from: providerId, to: null },
    } as const
    given(started, joined(robin)).when(change).then(changed)
    given(started, joined(robin), linked).when(change).then(changed, unlinked)
    given(started, joined(robin))
      .when({ ...change, knownProviderId: providerId })
      .then(changed, unlinked)
    // A reviewer already, whose link was never ended.
    const reviewer = joined(robin, 'reviewer')
    given(started, reviewer)
      .when({ ...change, knownProviderId: providerId })
      .then(unlinked)
    given(started, reviewer, unlinked)
      .when({ ...change, knownProviderId: providerId })
      .thenNothing()
    // What the team ended is no longer known.
    given(started, joined(robin), linked, unlinked)
      .when({ ...change, knownProviderId: providerId })
      .then(changed)
  })

  it('resets the second factor of a member once, never of the owner or the one who asks', () => {
    const factorId = '4f6f7a52-1b2c-4d3e-8f4a-5b6c7d8e9f31'
    const other = '4f6f7a52-1b2c-4d3e-8f4a-5b6c7d8e9f32'
    const reset = { type: 'ResetTwoFactor', userId: robin, factorId, by: sam } as const
    const done = { type: 'MemberTwoFactorReset', data: { practiceId, userId: robin, by: sam, factorId } } as const
    const team = [started, joined(robin), joined(sam, 'administrator')]
    given(...team)
      .when(reset)
      .then(done)
    given(...team, done)
      .when(reset)
      .thenNothing()
    given(...team, done)
      .when({ ...reset, factorId: null })
      .thenNothing()
    // Set up again since.
    given(...team, done)
      .when({ ...reset, factorId: other })
      .then({ ...done, data: { ...done.data, factorId: other } })
    given(...team)
      .when({ ...reset, factorId: null })
      .thenRefused('two-factor-off')
    given(...team)
      .when({ ...reset, userId: owner })
      .thenRefused('owner-only')
    const passkeyIds = [other]
    const withPasskeys = { ...done, data: { ...done.data, factorId: null, passkeyIds } } as const
    given(...team)
      .when({ ...reset, factorId: null, passkeyIds })
      .then(withPasskeys)
    given(...team, withPasskeys)
      .when({ ...reset, factorId: null, passkeyIds })
      .thenNothing()
    // An app was set up since, or another passkey added.
    given(...team, withPasskeys)
      .when(reset)
      .then(done)
    given(...team, withPasskeys)
      .when({ ...reset, factorId: null, passkeyIds: [...passkeyIds, factorId] })
      .then({ ...withPasskeys, data: { ...withPasskeys.data, passkeyIds: [...passkeyIds, factorId] } })
    for (const userId of [owner, sam])
      given(...team)
        .when({ ...reset, userId, by: userId })
        .thenRefused('own-access')
    given(...team)
      .when({ ...reset, userId: kim })
      .thenRefused('not-found')
  })
})
