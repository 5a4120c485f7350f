import fc from 'fast-check'
import { expect, it } from 'vitest'
import { UserId } from '#contracts/values/ids.ts'
import { fold, isRejection } from '#eventstore/decider.ts'
import {
  isAddressProved,
  mustProveEmail,
  type RegisteredUser,
  type UserCommand,
  userDecider,
} from '#modules/accounts/decider.ts'
import type { UserEvent } from '#modules/accounts/events.ts'
import { deciderSpec } from '#tests/support/decider-spec.ts'
import { cases } from '#tests/support/long.ts'

const userId = UserId.parse('3f8f1d0e-52a4-4c8b-9a57-2d1f5c0e7b11')
const id = (n: number) => `c6d9a7b2-1f34-4e57-8a90-6c2b1d3e4f${10 + n}`
const [first, second] = [id(1), id(2)]
const at = '2026-11-20T08:00:00.000Z'
const expiresAt = '2026-11-27T08:00:00.000Z'
const user: RegisteredUser = {
  userId,
  email: 'ada@example.test',
  username: 'ada',
  firstName: 'Ada',
  lastName: 'Okafor',
  role: 'staff',
  newsletterOptIn: false,
  addressHash: 'hash',
}
const registered: UserEvent = { type: 'UserRegistered', data: user }
const requested = (proofId = first): UserEvent => ({
  type: 'EmailProofRequested',
  data: { userId, proofId, expiresAt },
})
const proved: UserEvent = { type: 'EmailProved', data: { userId, proofId: first } }
const changed: UserEvent = {
  type: 'EmailChanged',
  data: {
    userId,
    requestId: id(5),
    changeId: id(6),
    from: user.email,
    to: 'b@b.test',
    replaces: null,
    addressHash: 'h',
  },
}
const prove = (over: Partial<Extract<UserCommand, { type: 'ProveEmail' }>> = {}): UserCommand => ({
  type: 'ProveEmail',
  proofId: first,
  at: '2026-11-27T07:59:59.999Z',
  ...over,
})

const given = deciderSpec(userDecider)

it('is requested with the registration, where it is asked', () => {
  given().when({ type: 'Register', user }).then(registered)
  given()
    .when({ type: 'Register', user, proof: { proofId: first, at, isGiven: false } })
    .then(registered, requested())
  // The link of an invitation was mailed to the address, and was opened.
  given()
    .when({ type: 'Register', user, proof: { proofId: first, at, isGiven: true } })
    .then(registered, proved)
})

it('is given with a link within seven days, and again with the same link', () => {
  given(registered, requested()).when(prove()).then(proved)
  given(registered, requested(), proved).when(prove()).thenNothing()
  given(registered, requested())
    .when(prove({ at: expiresAt }))
    .thenRefused('link-expired')
})

it('is not given by a link whose clock was ahead, one that was replaced, or one to a former address', () => {
  given(registered, requested())
    .when(prove({ at: '2026-11-20T07:59:59.999Z' }))
    .thenRefused('link-expired')
  given(registered, requested(), requested(second)).when(prove()).thenRefused('link-expired')
  given(registered, requested(), changed).when(prove()).thenRefused('link-expired')
})

it('is asked for again until it is given, and once for each request', () => {
  const again: UserCommand = { type: 'RequestEmailProof', proofId: second, at }
  given(registered, requested()).when(again).then(requested(second))
  given(registered, requested(), requested(second)).when(again).thenNothing()
  given(registered, requested(), proved).when(again).thenRefused('email-proved')
  given(registered, requested(), changed).when(again).thenRefused('email-proved')
  given(registered).when(again).thenRefused('email-proved')
  given().when(again).thenRefused('not-registered')
})

it('is given as soon as it was requested, by a clock that agrees', () => {
  given(registered, requested()).when(prove({ at })).then(proved)
})

it('is given by a link that was mailed for something else, unless the address is confirmed', () => {
  const open: UserCommand = { type: 'ProveEmailByLink', proofId: second }
  given(registered, requested()).when(open).then(proved)
  // An account of an installation that did not ask for a confirmation.
  const without: UserEvent = { type: 'EmailProved', data: { userId, proofId: second } }
  given(registered).when(open).then(without)
  expect(fold(userDecider, [registered, without])).toMatchObject({ emailProof: { proofId: second, isProved: true } })
  given(registered, without).when(open).thenNothing()
  given(registered, requested(), changed).when(open).thenNothing()
  given().when(open).thenRefused('not-registered')
})

it('counts as given after a changed address, which was confirmed with a link of its own', () => {
  const states = [[], [registered], [registered, requested()], [registered, proved], [registered, requested(), changed]]
  expect(states.map((history) => isAddressProved(fold(userDecider, history)))).toEqual([
    false,
    false,
    false,
    true,
    true,
  ])
})

it('no link works that was replaced or is too old, and an address that was confirmed stays so', () => {
  const command = fc.record({
    kind: fc.constantFrom('request', 'prove', 'ask-change', 'change'),
    proof: fc.nat(3),
    hours: fc.constantFrom(0, 1, 24, 167, 168, 400),
  })
  fc.assert(
    fc.property(fc.array(command, { maxLength: 30 }), (commands) => {
      const history: UserEvent[] = [registered, requested(id(0))]
      let clock = Date.parse(at)
      let wasProved = false
      for (const { kind, proof, hours } of commands) {
        clock += hours * 3_600_000
        const now = new Date(clock).toISOString()
        const [proofId, requestId] = [id(proof), id(proof + 4)]
        const given: UserCommand = {
          request: { type: 'RequestEmailProof', proofId, at: now } as const,
          prove: { type: 'ProveEmail', proofId, at: now } as const,
          'ask-change': {
            type: 'RequestEmailChange',
            requestId,
            email: 'b@b.test',
            addressHash: 'h',
            at: now,
          } as const,
          change: { type: 'ChangeEmail', requestId, changeId: id(proof), addressHash: 'h', at: now } as const,
        }[kind]
        const decision = userDecider.decide(given, fold(userDecider, history))
        if (isRejection(decision)) continue
        for (const event of decision) {
          if (event.type !== 'EmailProved') continue
          const latest = history.findLast(({ type }) => type === 'EmailProofRequested')
          expect(latest?.data).toMatchObject({ proofId: event.data.proofId })
          expect(now < (latest?.type === 'EmailProofRequested' ? latest.data.expiresAt : '')).toBe(true)
          expect(history.some(({ type }) => type === 'EmailChanged')).toBe(false)
        }
        history.push(...decision)
        const mustProve = mustProveEmail(fold(userDecider, history))
        expect(wasProved && mustProve).toBe(false)
        wasProved ||= !mustProve
      }
    }),
    { numRuns: cases(500, 20_000) },
  )
})
