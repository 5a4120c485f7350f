import { subDays } from 'date-fns/subDays'
import type { z } from 'zod'
import { invitationDays, type NewInvitation, type TeamInvitation } from '#contracts/team.ts'
import { addDays, getStartOfDay, toLocalDate } from '#contracts/values/calendar.ts'
import { InvitationId, type PracticeId } from '#contracts/values/ids.ts'
import type { Role } from '#contracts/values/roles.ts'
import type { CommandContext } from '#eventstore/command.ts'
import { CommandRejected } from '#eventstore/command-errors.ts'
import { deriveId } from '#eventstore/derive-id.ts'
import { fieldError, notFound, ProblemError } from '#http/problems.ts'
import { createRateLimiter, hourly, type Limit } from '#http/rate-limiter.ts'
import type { Member } from '#http/session.ts'
import { findMembers, findUserNames } from '#modules/accounts/public.ts'
import type { Services } from '#modules/module.ts'
import { normalizeEmail } from '#modules/kit/normalize-email.ts'
import { findTimeZone } from '#modules/practices/public.ts'
import { requireProvenEmail } from '#modules/kit/require-proof.ts'
import { createSeatTaker } from '#modules/providers/public.ts'
import { type InvitationCommand, invitationDecider, type InvitationState, type Place } from './decider.ts'
import { createInvitationUrl } from './links.ts'
import { teamSettings } from './settings.ts'

type SentInvitation = { invitation: TeamInvitation; link: string | null }

/**
 * Sends invitations by e-mail. Both methods throw 429 when a practice sends too many, and 403 `email-unconfirmed` until the
 * address of the caller is confirmed.
 */
export type Inviting = {
  invite(caller: Member, invitation: z.output<typeof NewInvitation>, context: CommandContext): Promise<SentInvitation>
  /** Throws 404 for an invitation of another practice, or one that is no longer open. */
  sendAgain(caller: Member, invitationId: InvitationId, context: CommandContext): Promise<SentInvitation>
}

/**
 * Returns the place of a role whose membership ends with a day in the practice's time zone. Throws 422 for a day in the past.
 */
export async function resolvePlace(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  practiceId: PracticeId,
  role: Role,
  lastDay: string | null,
): Promise<Place> {
  if (lastDay === null) return { role, lastDay, endsAt: null }
  const zone = await findTimeZone(db, practiceId)
  if (lastDay < toLocalDate(clock(), zone)) throw fieldError('lastDay', 'The last day must not be in the past')
  return { role, lastDay, endsAt: getStartOfDay(addDays(lastDay, 1), zone) }
}

export function createInviting(services: Services): Inviting {
  const { bus, db, clock, keyedHash, quotas, relaxedPool: pool, mail } = services
  const { address } = teamSettings.read(services)
  const takeSeat = createSeatTaker(services)
  const limiter = createRateLimiter({ pool, clock, keyedHash, createUnavailable })
  const limit: Limit = {
    purpose: 'team invitations',
    maxAttempts: quotas.invitationsPerPractice,
    ...hourly,
    code: 'too-many-attempts',
    message: 'Your practice has sent too many invitations.',
  }

  async function send(
    caller: Member,
    invitationId: InvitationId,
    command: InvitationCommand,
    context: CommandContext,
  ): Promise<SentInvitation> {
    // An account with an invented address must not send messages to strangers.
    requireProvenEmail(caller, 'invite others')
    await limiter.consume([{ limit, value: caller.practiceId }])
    const { state } = await bus.execute(invitationDecider, invitationId, command, context)
    const sentBy = (await findUserNames(db, [caller.userId])).get(caller.userId) ?? null
    // A repeated request may find an invitation that has ended since.
    const isOpen = state.status === 'pending' && mail.kind !== 'smtp'
    return {
      invitation: toInvitation(state, sentBy),
      link: isOpen ? createInvitationUrl({ keyedHash, address }, state) : null,
    }
  }

  /** Sends an invitation that will add a provider; it has a seat as long as its link works. */
  async function withSeat(
    { practiceId }: Member,
    invitationId: InvitationId,
    path: string,
    context: CommandContext,
    run: () => Promise<SentInvitation>,
  ): Promise<SentInvitation> {
    const hasSeat = async () => {
      const { state } = await bus.load(invitationDecider, invitationId)
      return state.status === 'pending' && state.isProvider && state.expiresAt > clock().toISOString()
    }
    return await takeSeat(practiceId, { hasSeat, path, context }, run)
  }

  return {
    async invite(caller, { email, role, isProvider, lastDay }, context) {
      const { practiceId, userId: by } = caller
      const members = await findMembers(db, practiceId)
      if (members.some((member) => normalizeEmail(member.email) === normalizeEmail(email))) throw alreadyMember()
      const place = await resolvePlace(services, practiceId, role, lastDay)
      const invitationId = deriveInvitationId(services, practiceId, email)
      const invitation = { invitationId, practiceId, email, isProvider, ...place }
      const command = { type: 'Invite', invitation, by, at: clock().toISOString() } as const
      const sendNew = () => send(caller, invitationId, command, context)
      return isProvider ? await withSeat(caller, invitationId, 'isProvider', context, sendNew) : await sendNew()
    },
    async sendAgain(caller, invitationId, context) {
      const { practiceId, userId: by } = caller
      const { state } = await bus.load(invitationDecider, invitationId)
      const isProvider = state.status === 'pending' && state.practiceId === practiceId && state.isProvider
      const command = { type: 'SendAgain', practiceId, by, at: clock().toISOString() } as const
      const sendNew = () => send(caller, invitationId, command, context).catch(throwNotFound)
      return isProvider ? await withSeat(caller, invitationId, 'isProvider', context, sendNew) : await sendNew()
    },
  }
}

/** Throws the 404 for a rejected command on an invitation that is not open in this practice. */
export function throwNotFound(error: unknown): never {
  throw error instanceof CommandRejected && error.rejection.rejected === 'not-found' ? notFound('invitation') : error
}

/** Derives the id of the invitations of an address, so that a practice has at most one open invitation for it. */
const deriveInvitationId = ({ keyedHash }: Pick<Services, 'keyedHash'>, practiceId: PracticeId, email: string) =>
  InvitationId.parse(deriveId(keyedHash('team invitation address', `${practiceId} ${normalizeEmail(email)}`)))

function toInvitation(state: InvitationState, sentBy: string | null): TeamInvitation {
  if (state.status === 'none') throw new Error('The invitation that was just sent has no state')
  const { invitationId: id, email, role, isProvider, lastDay, expiresAt } = state
  const sentAt = subDays(expiresAt, invitationDays).toISOString()
  return { id, email, role, isProvider, lastDay, sentBy, sentAt, expiresAt, state: 'pending' }
}

const alreadyMember = () => {
  const message = 'This person belongs to your team already.'
  return new ProblemError(409, 'already-member', message, { errors: [{ path: 'email', message }] })
}

const createUnavailable = () =>
  new ProblemError(503, 'invitations-unavailable', 'Inviting is not possible right now. Please try again later.', {
    headers: { 'Retry-After': '60' },
  })
