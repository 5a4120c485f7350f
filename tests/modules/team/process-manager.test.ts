import { expect, it } from 'vitest'
import { followTeam, jobNames } from '#modules/team/process-manager.ts'
import { getJobRequests } from '#process-managers/process-manager.ts'
import { recordedEvent } from '#tests/support/events.ts'
import { invitationId, invited, joined, practiceId, robin, sam, started, suspended } from './fixtures.ts'

const requestsOf = (event: Parameters<typeof recordedEvent>[0]) => getJobRequests(followTeam, recordedEvent(event))

it('sends every link of an invitation', () => {
  expect(requestsOf(invited)).toEqual([{ job: jobNames.sendInvitation, data: { invitationId, linkNumber: 1 } }])
  const data = { invitationId, sentBy: robin, linkNumber: 2, expiresAt: '2026-11-28T08:00:00.000Z' }
  expect(requestsOf({ type: 'InvitationSentAgain', data })).toEqual([
    { job: jobNames.sendInvitation, data: { invitationId, linkNumber: 2 } },
  ])
})

it('completes an acceptance, a suspension and a reset', () => {
  expect(requestsOf({ type: 'InvitationAccepted', data: { invitationId, practiceId, userId: robin } })).toMatchObject([
    { job: jobNames.completeInvitation, data: { invitationId } },
  ])
  expect(requestsOf(suspended(robin))).toMatchObject([
    { job: jobNames.endSessions, data: { practiceId, userId: robin } },
  ])
  const reset = { practiceId, userId: robin, by: sam, factorId: invitationId }
  expect(requestsOf({ type: 'MemberTwoFactorReset', data: reset })).toMatchObject([
    { job: jobNames.finishTwoFactorReset, data: reset },
  ])
  const withPasskeys = { ...reset, factorId: null, passkeyIds: [invitationId] }
  expect(requestsOf({ type: 'MemberTwoFactorReset', data: withPasskeys })).toMatchObject([
    { job: jobNames.finishTwoFactorReset, data: withPasskeys },
  ])
})

it('needs nothing else', () => {
  expect(requestsOf(started)).toEqual([])
  expect(requestsOf(joined(robin))).toEqual([])
  expect(requestsOf({ type: 'InvitationRevoked', data: { invitationId } })).toEqual([])
})
