import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { UserId } from '#contracts/values/ids.ts'
import { Role } from '#contracts/values/roles.ts'
import { fold, isRejection } from '#eventstore/decider.ts'
import { users } from '#modules/accounts/projection.ts'
import { type InvitationCommand, invitationDecider, type TeamCommand, teamDecider } from '#modules/team/decider.ts'
import { InvitationEvent, TeamEvent } from '#modules/team/events.ts'
import { applyEvent, type Rows } from '#projections/projection.ts'
import { recordedEvent } from '#tests/support/events.ts'
import { cases } from '#tests/support/long.ts'
import {
  invitation,
  invitationId,
  kim,
  noEnd,
  owner,
  practiceId,
  providerId,
  reviewerEnd,
  robin,
  sam,
  started,
} from './fixtures.ts'

const people = [owner, robin, sam, kim] as const
const person = fc.constantFrom(...people)

const teamCommand: fc.Arbitrary<TeamCommand> = fc
  .record({
    type: fc.constantFrom(
      'Start',
      'Join',
      'ChangeRole',
      'Suspend',
      'Reinstate',
      'TransferOwnership',
      'ResetTwoFactor',
      'LinkProvider',
    ),
    userId: person,
    by: person,
    role: fc.constantFrom(...Role.options),
    isLinked: fc.boolean(),
    isSetUp: fc.boolean(),
  })
  .map(({ type, userId, by, role, isLinked, isSetUp }): TeamCommand => {
    const place = { role, ...(role === 'reviewer' ? reviewerEnd : noEnd) }
    switch (type) {
      case 'Start':
        return { type, practiceId, ownerId: owner, role }
      case 'Join':
        return { type, userId, invitationId, ...place }
      case 'ChangeRole':
        return { type, userId, by, why: null, knownProviderId: null, ...place }
      case 'Suspend':
        return { type, userId, by, why: null }
      case 'Reinstate':
        return { type, userId }
      case 'TransferOwnership':
        return { type, to: userId, by, isSetUp }
      case 'ResetTwoFactor':
        return { type, userId, by, factorId: isLinked ? invitationId : null }
      default:
        return {
          type: 'LinkProvider',
          userId,
          providerId: isLinked ? providerId : null,
          known: { providerId: null, userId: null },
        }
    }
  })

/** Runs the commands on a team; returns the events. Every prefix is a history that can occur. */
function runTeam(commands: readonly TeamCommand[], check: (history: readonly TeamEvent[]) => void) {
  const history: TeamEvent[] = []
  for (const command of commands) {
    const decision = teamDecider.decide(command, fold(teamDecider, history))
    if (isRejection(decision)) continue
    for (const event of decision) expect(TeamEvent.parse(event)).toEqual(event)
    history.push(...decision)
    const repeated = teamDecider.decide(command, fold(teamDecider, history))
    expect(isRejection(repeated) ? [] : repeated).toEqual([])
    check(history)
  }
}

const holds = (check: (history: readonly TeamEvent[]) => void) =>
  fc.assert(
    fc.property(fc.array(teamCommand, { maxLength: 40 }), (commands) =>
      runTeam([{ type: 'Start', practiceId, ownerId: owner, role: 'staff' }, ...commands], check),
    ),
    { numRuns: cases(500, 20_000) },
  )

it('always leaves a practice with exactly one owner, who is active and stays', () => {
  holds((history) => {
    const state = fold(teamDecider, history)
    if (state.status === 'none') throw new Error('The team has started')
    const ownerOfTeam = state.members[state.ownerId]
    expect(ownerOfTeam).toMatchObject({ isSuspended: false, endsAt: null })
    expect(ownerOfTeam?.role).not.toBe('reviewer')
  })
})

it('gives the ownership away only by its owner', () => {
  const takeOver = (commands: readonly TeamCommand[]) => {
    let state = fold(teamDecider, [started])
    return commands.filter((command) => {
      const decision = teamDecider.decide(command, state)
      const before = state
      if (!isRejection(decision)) for (const event of decision) state = teamDecider.evolve(state, event)
      const isSameOwner = state.status !== 'none' && before.status !== 'none' && state.ownerId === before.ownerId
      const isTransfer =
        command.type === 'TransferOwnership' && before.status !== 'none' && command.by === before.ownerId
      return !isSameOwner && !isTransfer
    })
  }
  fc.assert(
    fc.property(fc.array(teamCommand, { maxLength: 40 }), (commands) => {
      expect(takeOver(commands)).toEqual([])
    }),
    { numRuns: cases(500, 20_000) },
  )
})

it('never resets the second factor of the owner or of the one who asks', () => {
  holds((history) => {
    const last = history.at(-1)
    if (last?.type !== 'MemberTwoFactorReset') return
    const { userId, by } = last.data
    const state = fold(teamDecider, history)
    expect([by, state.status === 'started' && state.ownerId]).not.toContain(userId)
  })
})

it('links a provider to one member at most', () => {
  holds((history) => {
    const state = fold(teamDecider, history)
    const links = state.status === 'none' ? [] : Object.values(state.providerIds).filter((id) => id !== null)
    expect(new Set(links).size).toBe(links.length)
  })
})

it('never leaves a provider with a reviewer', () => {
  holds((history) => {
    const state = fold(teamDecider, history)
    if (state.status === 'none') throw new Error('The team has started')
    const linked = Object.entries(state.providerIds).filter(([, id]) => id !== null)
    expect(linked.map(([userId]) => state.members[userId]?.role)).not.toContain('reviewer')
  })
})

it('shows in the accounts what the team decided', () => {
  const register = (userId: UserId) => ({
    type: 'UserRegistered',
    data: {
      userId,
      email: 'a@example.test',
      username: 'a',
      firstName: 'A',
      lastName: 'B',
      role: 'staff',
      newsletterOptIn: false,
    },
  })
  holds((history) => {
    const rows: Rows = new Map()
    const setUp = { type: 'PracticeSetUp', data: { practiceId, ownerId: owner, name: 'Harbor Clinic' } }
    const all = [...people.map(register), setUp, ...history]
    all.forEach((event, revision) => applyEvent(users, rows, recordedEvent(event, { revision })))
    const state = fold(teamDecider, history)
    if (state.status === 'none') throw new Error('The team has started')
    for (const userId of people) {
      const member = state.members[userId]
      const row = rows.get(userId)
      if (!member) expect(row).toMatchObject({ practice_id: null, is_owner: false })
      else {
        expect(row).toMatchObject({
          practice_id: practiceId,
          role: member.role,
          is_owner: userId === state.ownerId,
          ends_at: member.endsAt,
        })
        expect(row?.['suspended_at'] !== null).toBe(member.isSuspended)
      }
    }
  })
})

const start = Date.parse('2026-11-20T08:00:00.000Z')
const hourMs = 3_600_000

const invitationStep = fc.record({
  type: fc.constantFrom('Invite', 'SendAgain', 'Revoke', 'Accept', 'Accept'),
  hours: fc.integer({ min: 0, max: 100 }),
  linkNumber: fc.integer({ min: 1, max: 5 }),
  userId: person,
})

it('accepts no link twice, and none that was replaced, was revoked or has expired', () => {
  fc.assert(
    fc.property(fc.array(invitationStep, { maxLength: 40 }), (steps) => {
      let state = fold(invitationDecider, [])
      let now = start
      const used = new Set<number>()
      /** The link that works, and until when. */
      let open: { linkNumber: number; until: number } | null = null
      for (const { type, hours, linkNumber, userId } of steps) {
        now += hours * hourMs
        const at = new Date(now).toISOString()
        const commands: Record<typeof type, InvitationCommand> = {
          Invite: { type: 'Invite', invitation, by: owner, at },
          SendAgain: { type: 'SendAgain', practiceId, by: owner, at },
          Revoke: { type: 'Revoke', practiceId },
          Accept: { type: 'Accept', linkNumber, userId, at },
        }
        const decision = invitationDecider.decide(commands[type], state)
        if (isRejection(decision)) continue
        for (const event of decision) {
          expect(InvitationEvent.parse(event)).toEqual(event)
          if (event.type === 'InvitationAccepted') {
            expect(used.has(linkNumber)).toBe(false)
            expect(open?.linkNumber).toBe(linkNumber)
            expect(now).toBeLessThan(open?.until ?? 0)
            used.add(linkNumber)
            open = null
          } else if (event.type === 'InvitationRevoked') open = null
          else open = { linkNumber: event.data.linkNumber, until: now + 7 * 24 * hourMs }
          state = invitationDecider.evolve(state, event)
        }
      }
    }),
    { numRuns: cases(500, 20_000) },
  )
})
