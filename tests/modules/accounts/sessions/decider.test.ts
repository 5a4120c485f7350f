import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UserId } from '#contracts/values/ids.ts'
import type { SessionEvent } from '#modules/accounts/events.ts'
import { failedSignInDecider, type SessionCommand, sessionDecider } from '#modules/accounts/sessions/decider.ts'
import { deciderSpec } from '#tests/support/decider-spec.ts'
import { playCommands } from '#tests/support/play-commands.ts'

const ada = UserId.parse('3f8f1d0e-52a4-4c8b-9a57-2d1f5c0e7b11')
const later = '2026-11-20T08:01:00.000Z'

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

it('a session is signed in to before it is signed out of, once each', () => {
  const command = fc.constantFrom<SessionCommand[]>(signIn, { type: 'SignOut', reason: 'signed-out' })
  fc.assert(
    fc.property(fc.array(command), (commands) => {
      const types = playCommands(sessionDecider, commands).history.map(({ type }) => type)
      expect(['', 'SignedIn', 'SignedIn SignedOut']).toContain(types.join(' '))
    }),
  )
})
