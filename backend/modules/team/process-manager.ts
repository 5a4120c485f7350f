import { followUp } from '#modules/kit/follow-up.ts'
import { defineProcessManager } from '#process-managers/process-manager.ts'
import type { InvitationEvent, TeamEvent } from './events.ts'

/** The names of the jobs that this process manager requests; see jobs.ts. */
export const jobNames = {
  sendInvitation: 'send-invitation',
  completeInvitation: 'complete-invitation',
  endSessions: 'end-sessions-of-suspended-member',
  finishTwoFactorReset: 'finish-two-factor-reset',
} as const

/** Sends invitations, and completes what follows from an acceptance, a suspension or a reset if its request was interrupted. */
export const followTeam = defineProcessManager<InvitationEvent | TeamEvent>({
  name: 'follow-team',
  on: {
    MemberInvited: ({ data: { invitationId, linkNumber } }) => [
      { job: jobNames.sendInvitation, data: { invitationId, linkNumber } },
    ],
    InvitationSentAgain: ({ data: { invitationId, linkNumber } }) => [
      { job: jobNames.sendInvitation, data: { invitationId, linkNumber } },
    ],
    InvitationAccepted: (event) =>
      followUp(event, jobNames.completeInvitation, { invitationId: event.data.invitationId }),
    MemberSuspended: (event) => {
      const { practiceId, userId } = event.data
      return followUp(event, jobNames.endSessions, { practiceId, userId })
    },
    MemberTwoFactorReset: (event) => followUp(event, jobNames.finishTwoFactorReset, event.data),
  },
})
