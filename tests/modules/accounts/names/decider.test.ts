import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UserId } from '#contracts/values/ids.ts'
import type { Decider } from '#eventstore/decider.ts'
import type { DomainEvent } from '#eventstore/event.ts'
import type { EmailEvent, UsernameEvent } from '#modules/accounts/events.ts'
import { emailDecider, type NameCommand, type NameState, usernameDecider } from '#modules/accounts/names/decider.ts'
import { deciderSpec } from '#tests/support/decider-spec.ts'
import { playCommands } from '#tests/support/play-commands.ts'

const ada = UserId.parse('3f8f1d0e-52a4-4c8b-9a57-2d1f5c0e7b11')
const ben = UserId.parse('91c2b9a4-6a3c-4f0b-8c43-5b8a0d7f6e22')
const at = '2026-11-20T08:00:00.000Z'
const later = '2026-11-20T08:01:00.000Z'

describe('an e-mail address', () => {
  const given = deciderSpec(emailDecider)
  const reserved: EmailEvent = { type: 'EmailReserved', data: { userId: ada, reservedAt: at } }
  const released: EmailEvent = { type: 'EmailReservationReleased', data: { userId: ada } }

  it('is held by the first reservation', () => {
    given().when({ type: 'Reserve', userId: ada, at }).then(reserved)
    given(reserved).when({ type: 'Reserve', userId: ben, at: later }).thenRefused('email-taken')
  })
  it('is reserved once, however often the same user asks', () => {
    given(reserved).when({ type: 'Reserve', userId: ada, at: later }).thenNothing()
  })
  it('is free again when it was released', () => {
    given(reserved).when({ type: 'Release', userId: ada }).then(released)
    given(reserved, released)
      .when({ type: 'Reserve', userId: ben, at: later })
      .then({ type: 'EmailReserved', data: { userId: ben, reservedAt: later } })
  })
  it('is released only by its holder', () => {
    given(reserved).when({ type: 'Release', userId: ben }).thenNothing()
    given().when({ type: 'Release', userId: ben }).thenNothing()
  })
})

describe('a username', () => {
  const given = deciderSpec(usernameDecider)
  const reserved: UsernameEvent = { type: 'UsernameReserved', data: { userId: ada, reservedAt: at } }
  const released: UsernameEvent = { type: 'UsernameReservationReleased', data: { userId: ada } }

  it('is held by the first reservation', () => {
    given().when({ type: 'Reserve', userId: ada, at }).then(reserved)
    given(reserved).when({ type: 'Reserve', userId: ben, at: later }).thenRefused('username-taken')
  })
  it('is reserved once, however often the same user asks', () => {
    given(reserved).when({ type: 'Reserve', userId: ada, at: later }).thenNothing()
  })
  it('is free again when it was released', () => {
    given(reserved).when({ type: 'Release', userId: ada }).then(released)
    given(reserved, released)
      .when({ type: 'Reserve', userId: ben, at: later })
      .then({ type: 'UsernameReserved', data: { userId: ben, reservedAt: later } })
  })
  it('is released only by its holder', () => {
    given(reserved).when({ type: 'Release', userId: ben }).thenNothing()
  })
  it('stays reserved when another reservation of its holder is released', () => {
    given(reserved).when({ type: 'Release', userId: ada, reservedAt: later }).thenNothing()
    given(reserved).when({ type: 'Release', userId: ada, reservedAt: at }).then(released)
  })
})

const people = [ada, ben, UserId.parse('5a0f7c1e-0d3b-4b6f-8f0e-1c2d3e4f5a6b')]
const nameCommand: fc.Arbitrary<NameCommand> = fc.oneof(
  fc.record({
    type: fc.constant('Reserve' as const),
    userId: fc.constantFrom(...people),
    at: fc.constantFrom(at, later),
  }),
  fc.record({ type: fc.constant('Release' as const), userId: fc.constantFrom(...people) }),
)

describe('any sequence of commands', () => {
  const names = [emailDecider, usernameDecider] as unknown as Decider<NameCommand, DomainEvent, NameState>[]
  it.each(names)('a name has one holder, who alone can give it up: $category', (decider) => {
    fc.assert(
      fc.property(fc.array(nameCommand), (commands) => {
        for (const { command, before, after, refused } of playCommands(decider, commands).steps) {
          const { userId, type } = command
          if (before && before.userId !== userId) expect(after).toEqual(before)
          else if (type === 'Reserve') expect(after?.userId).toBe(userId)
          else expect(after).toBeNull()
          expect(refused).toBe(type === 'Reserve' && before !== null && before.userId !== userId)
        }
      }),
    )
  })
})
