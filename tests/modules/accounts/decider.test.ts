import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UserId } from '#contracts/values/ids.ts'
import { type Decider, fold, isRejection } from '#eventstore/decider.ts'
import type { DomainEvent } from '#eventstore/event.ts'
import {
  emailDecider,
  type NameCommand,
  type NameState,
  failedSignInDecider,
  type RegisteredUser,
  type SessionCommand,
  sessionDecider,
  type UserCommand,
  userDecider,
  usernameDecider,
} from '#modules/accounts/decider.ts'
import type { EmailEvent, SessionEvent, UserEvent, UsernameEvent } from '#modules/accounts/events.ts'
import { deciderSpec } from '#tests/support/decider-spec.ts'

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

const user: RegisteredUser = {
  userId: ada,
  email: 'ada@example.test',
  username: 'ada',
  firstName: 'Ada',
  lastName: 'Okafor',
  role: 'staff',
  newsletterOptIn: false,
  addressHash: 'hash',
}
const registered: UserEvent = { type: 'UserRegistered', data: user }
const abandoned: UserEvent = { type: 'RegistrationAbandoned', data: { userId: ada } }

describe('an account', () => {
  const given = deciderSpec(userDecider)

  it('begins with the registration', () => {
    given().when({ type: 'Register', user }).then(registered)
    given(registered).when({ type: 'Register', user }).thenRefused('already-registered')
  })
  it('cannot start after another registration took over', () => {
    given().when({ type: 'Abandon', userId: ada }).then(abandoned)
    given(abandoned).when({ type: 'Abandon', userId: ada }).thenNothing()
    given(abandoned).when({ type: 'Register', user }).thenRefused('registration-abandoned')
  })
  it('cannot be abandoned once it has begun', () => {
    given(registered).when({ type: 'Abandon', userId: ada }).thenRefused('already-registered')
  })
})

describe('a profile', () => {
  const given = deciderSpec(userDecider)
  const change = (
    fields: object,
    reservations: { next: string; current: string | null } | null = null,
  ): UserCommand => ({
    type: 'ChangeProfile',
    userId: ada,
    change: fields,
    reservations,
  })
  const givenUp: UserEvent = { type: 'UsernameGivenUp', data: { userId: ada, reservedAt: at } }

  it('changes in the fields that differ, with the values before', () => {
    given(registered)
      .when(change({ firstName: 'Adaeze', lastName: 'Okafor' }))
      .then({ type: 'ProfileChanged', data: { userId: ada, from: { firstName: 'Ada' }, to: { firstName: 'Adaeze' } } })
    given(registered)
      .when(change({ firstName: 'Ada', username: 'ada' }))
      .thenNothing()
    given()
      .when(change({ firstName: 'Ada' }))
      .thenRefused('not-registered')
  })
  it('changes from what it is now', () => {
    const renamed: UserEvent = {
      type: 'ProfileChanged',
      data: {
        userId: ada,
        from: { firstName: 'Ada', username: 'ada' },
        to: { firstName: 'Adaeze', username: 'ada.o' },
      },
    }
    given(registered, renamed)
      .when(change({ firstName: 'Adaeze', lastName: 'Okafor', username: 'ada.o' }))
      .thenNothing()
    given(registered, renamed)
      .when(change({ firstName: 'Ada' }))
      .then({ type: 'ProfileChanged', data: { userId: ada, from: { firstName: 'Adaeze' }, to: { firstName: 'Ada' } } })
    given(registered, renamed)
      .when({ type: 'GiveUpUsername', userId: ada, username: 'ada', reservedAt: at })
      .then(givenUp)
  })
  it('takes another username with a reservation, and gives up the reservation of the old one', () => {
    const renamed: UserEvent = {
      type: 'ProfileChanged',
      data: { userId: ada, from: { username: 'ada' }, to: { username: 'ada.o' } },
    }
    given(registered)
      .when(change({ username: 'ada.o' }, { next: later, current: at }))
      .then(renamed, givenUp)
    given(registered)
      .when(change({ username: 'ada.o' }, { next: later, current: null }))
      .then(renamed)
    given(registered)
      .when(change({ username: 'ada.o' }))
      .thenRefused('username-taken')
  })
  it('changes the case of the username without a reservation', () => {
    given(registered)
      .when(change({ username: 'ADA' }))
      .then({ type: 'ProfileChanged', data: { userId: ada, from: { username: 'ada' }, to: { username: 'ADA' } } })
  })
  it('cannot use a reservation that was given up', () => {
    given(registered, givenUp)
      .when(change({ username: 'ada.o' }, { next: at, current: null }))
      .thenRefused('username-taken')
  })
  it('gives up only the reservation of a name that it does not use, once', () => {
    const giveUp = (username: string): UserCommand => ({
      type: 'GiveUpUsername',
      userId: ada,
      username,
      reservedAt: at,
    })
    given(registered).when(giveUp('ADA')).thenRefused('username-in-use')
    given(registered).when(giveUp('ada.o')).then(givenUp)
    given(registered, givenUp).when(giveUp('ada.o')).thenNothing()
    given().when(giveUp('ada.o')).thenRefused('not-registered')
    given(abandoned).when(giveUp('ada.o')).thenRefused('not-registered')
  })
})

const session = { sessionId: 'c6d9a7b2-1f34-4e57-8a90-6c2b1d3e4f55', userId: ada }
const signIn: SessionCommand = { type: 'SignIn', ...session, addressHash: 'hash' }
const signedIn: SessionEvent = { type: 'SignedIn', data: { ...session, addressHash: 'hash' } }
const signedOut: SessionEvent = { type: 'SignedOut', data: { ...session, reason: 'signed-out' } }

describe('a session', () => {
  const given = deciderSpec(sessionDecider)

  it('begins and ends', () => {
    given().when(signIn).then(signedIn)
    given(signedIn).when({ type: 'SignOut', reason: 'signed-out' }).then(signedOut)
  })
  it('records that it ended because the same browser signed in again', () => {
    given(signedIn)
      .when({ type: 'SignOut', reason: 'signed-in-again' })
      .then({ type: 'SignedOut', data: { ...session, reason: 'signed-in-again' } })
  })
  it('begins once', () => {
    given(signedIn).when(signIn).thenRefused('session-exists')
    given(signedIn, signedOut).when(signIn).thenRefused('session-exists')
  })
  it('ends once', () => {
    given(signedIn, signedOut).when({ type: 'SignOut', reason: 'signed-out' }).thenNothing()
    given().when({ type: 'SignOut', reason: 'signed-out' }).thenNothing()
  })
})

describe('a refused sign-in', () => {
  const given = deciderSpec(failedSignInDecider)
  const refused = (userId: UserId | null) => ({ type: 'SignInRefused' as const, data: { userId, addressHash: 'hash' } })

  it('is recorded, whether or not an account has the address', () => {
    given().when({ type: 'Refuse', userId: ada, addressHash: 'hash' }).then(refused(ada))
    given().when({ type: 'Refuse', userId: null, addressHash: 'hash' }).then(refused(null))
  })
  it('is recorded with the locks that it has set', () => {
    const lock = { scope: 'device' as const, until: later }
    const locked = { type: 'AttemptsLocked' as const, data: { userId: ada, addressHash: 'hash', ...lock } }
    const about = { userId: ada, addressHash: 'hash', locks: [lock] }
    given()
      .when({ type: 'Refuse', ...about })
      .then(refused(ada), locked)
    given()
      .when({ type: 'RefuseCode', ...about })
      .then({ type: 'CodeRefused', data: { userId: ada, addressHash: 'hash' } }, locked)
    given()
      .when({ type: 'NoteLocks', ...about })
      .then(locked)
  })
  it('is recorded when its code is missing', () => {
    given()
      .when({ type: 'NoteMissingCode', userId: ada, addressHash: 'hash' })
      .then({ type: 'SignInCodeMissing', data: { userId: ada, addressHash: 'hash' } })
  })
  it('is recorded once', () => {
    given(refused(ada)).when({ type: 'Refuse', userId: ada, addressHash: 'hash' }).thenNothing()
  })
})

/** Gives the commands one after the other; answers what happened, and the state after each. */
function play<Command, Event extends DomainEvent, State>(
  decider: Decider<Command, Event, State>,
  commands: readonly Command[],
) {
  const history: Event[] = []
  const steps: { command: Command; decided: readonly Event[]; refused: boolean; before: State; after: State }[] = []
  let state = decider.initial
  for (const command of commands) {
    const before = state
    const decision = decider.decide(command, before)
    const decided: readonly Event[] = isRejection(decision) ? [] : decision
    for (const event of decided) expect(decider.events.parse(event)).toEqual(event)
    state = decided.reduce(decider.evolve, state)
    history.push(...decided)
    steps.push({ command, decided, refused: isRejection(decision), before, after: state })
  }
  // What is replayed is what was decided on.
  expect(fold(decider, history)).toEqual(state)
  return { history, steps, state }
}

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
        for (const { command, before, after, refused } of play(decider, commands).steps) {
          const { userId, type } = command
          if (before && before.userId !== userId) expect(after).toEqual(before)
          else if (type === 'Reserve') expect(after?.userId).toBe(userId)
          else expect(after).toBeNull()
          expect(refused).toBe(type === 'Reserve' && before !== null && before.userId !== userId)
        }
      }),
    )
  })

  it('an account is decided once and stays so', () => {
    const command: fc.Arbitrary<Extract<UserCommand, { type: 'Register' | 'Abandon' }>> = fc.constantFrom(
      { type: 'Register', user },
      { type: 'Abandon', userId: ada },
    )
    fc.assert(
      fc.property(fc.array(command), (commands) => {
        const { history, state } = play(userDecider, commands)
        expect(history.length).toBe(Math.min(1, commands.length))
        const first = commands[0]?.type
        const expected = { Register: 'registered', Abandon: 'abandoned' } as const
        expect(state.status).toBe(first ? expected[first] : 'none')
      }),
    )
  })

  it('a session is signed in to before it is signed out of, once each', () => {
    const command = fc.constantFrom<SessionCommand[]>(signIn, { type: 'SignOut', reason: 'signed-out' })
    fc.assert(
      fc.property(fc.array(command), (commands) => {
        const types = play(sessionDecider, commands).history.map(({ type }) => type)
        expect(['', 'SignedIn', 'SignedIn SignedOut']).toContain(types.join(' '))
      }),
    )
  })
})
