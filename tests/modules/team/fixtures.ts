import { InvitationId, PracticeId, ProviderId, UserId } from '#contracts/values/ids.ts'
import type { InvitationEvent, TeamEvent } from '#modules/team/events.ts'

export const practiceId = PracticeId.parse('0f6f7a52-1b2c-4d3e-8f4a-5b6c7d8e9f00')
export const invitationId = InvitationId.parse('1f6f7a52-1b2c-4d3e-8f4a-5b6c7d8e9f01')
const id = (n: number) => `2f6f7a52-1b2c-4d3e-8f4a-5b6c7d8e9f1${n}`
export const [owner, robin, sam, kim] = [1, 2, 3, 4].map((n) => UserId.parse(id(n))) as [UserId, UserId, UserId, UserId]
export const providerId = ProviderId.parse('3f6f7a52-1b2c-4d3e-8f4a-5b6c7d8e9f21')

export const at = '2026-11-20T08:00:00.000Z'
/** Seven days after `at`. */
export const expiresAt = '2026-11-27T08:00:00.000Z'
export const noEnd = { lastDay: null, endsAt: null }
export const reviewerEnd = { lastDay: '2027-03-31', endsAt: '2027-04-01T04:00:00.000Z' }

export const invitation = {
  invitationId,
  practiceId,
  email: 'robin@example.test',
  role: 'nurse' as const,
  isProvider: false,
  ...noEnd,
}
export const invited: InvitationEvent = {
  type: 'MemberInvited',
  data: { ...invitation, invitedBy: owner, linkNumber: 1, expiresAt },
}

export const started: TeamEvent = { type: 'TeamStarted', data: { practiceId, ownerId: owner, role: 'staff' } }
export const joined = (userId: UserId, role: 'nurse' | 'administrator' | 'reviewer' = 'nurse'): TeamEvent => ({
  type: 'MemberJoined',
  data: { practiceId, userId, role, ...(role === 'reviewer' ? reviewerEnd : noEnd), invitationId },
})
export const suspended = (userId: UserId): TeamEvent => ({
  type: 'MemberSuspended',
  data: { practiceId, userId, why: null },
})
