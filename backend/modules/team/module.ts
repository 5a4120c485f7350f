import type { Module } from '#modules/module.ts'
import { InvitationEvent, TeamEvent } from './events.ts'
import { completeInvitation, endSessions, finishTwoFactorReset, sendInvitation } from './jobs.ts'
import { followTeam } from './process-manager.ts'
import { teamInvitations } from './projection.ts'
import { teamRoutes } from './routes.ts'
import { teamSettings } from './settings.ts'

/** The team of a practice: invitations, roles, suspensions and ownership. */
export const team: Module = {
  name: 'team',
  events: [InvitationEvent, TeamEvent],
  projections: [teamInvitations],
  processManagers: [followTeam],
  jobs: [sendInvitation, completeInvitation, endSessions, finishTwoFactorReset],
  liveUpdates: [{ kinds: ['team'], events: [InvitationEvent, TeamEvent] }],
  routes: teamRoutes,
  settings: teamSettings,
}
