import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UserId } from '#contracts/values/ids.ts'
import { type RegisteredUser, type UserCommand, userDecider } from '#modules/accounts/decider.ts'
import type { UserEvent } from '#modules/accounts/events.ts'
import { deciderSpec } from '#tests/support/decider-spec.ts'
import { playCommands } from '#tests/support/play-commands.ts'

const ada = UserId.parse('3f8f1d0e-52a4-4c8b-9a57-2d1f5c0e7b11')
const at = '2026-11-20T08:00:00.000Z'
const later = '2026-11-20T08:01:00.000Z'

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

it('an account is decided once and stays so', () => {
  const command: fc.Arbitrary<Extract<UserCommand, { type: 'Register' | 'Abandon' }>> = fc.constantFrom(
    { type: 'Register', user },
    { type: 'Abandon', userId: ada },
  )
  fc.assert(
    fc.property(fc.array(command), (commands) => {
      const { history, state } = playCommands(userDecider, commands)
      expect(history.length).toBe(Math.min(1, commands.length))
      const first = commands[0]?.type
      const expected = { Register: 'registered', Abandon: 'abandoned' } as const
      expect(state.status).toBe(first ? expected[first] : 'none')
    }),
  )
})
