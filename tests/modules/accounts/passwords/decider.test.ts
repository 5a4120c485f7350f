import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UserId } from '#contracts/values/ids.ts'
import { fold, isRejection } from '#eventstore/decider.ts'
import { computePasswordVersion, type PasswordCommand, passwordDecider } from '#modules/accounts/passwords/decider.ts'
import type { PasswordEvent } from '#modules/accounts/events.ts'
import { deciderSpec } from '#tests/support/decider-spec.ts'

const userId = UserId.parse('3f8f1d0e-52a4-4c8b-9a57-2d1f5c0e7b11')
const link = 'c6d9a7b2-1f34-4e57-8a90-6c2b1d3e4f55'
const otherLink = 'd7e0b8c3-2045-4f68-9ba1-7d3c2e4f5066'
const changeId = 'e8f1c9d4-3156-4079-acb2-8e4d3f506177'
const otherChange = 'f902dae5-4267-418a-bdc3-9f5e40617288'
const sessionId = '0a13ebf6-5378-429b-8ed4-a06f51728399'
const addressHash = 'hash'
const at = '2026-11-20T08:00:00.000Z'
const expiresAt = '2026-11-20T08:30:00.000Z'

const requested: PasswordEvent = {
  type: 'PasswordResetRequested',
  data: { resetId: link, userId, addressHash, expiresAt },
}
const otherRequested: PasswordEvent = { ...requested, data: { ...requested.data, resetId: otherLink } }
const reset: PasswordEvent = { type: 'PasswordReset', data: { userId, changeId, addressHash } }
const changed: PasswordEvent = {
  type: 'PasswordChanged',
  data: { userId, changeId: otherChange, sessionId, addressHash },
}
const useLink = (over: Partial<Extract<PasswordCommand, { type: 'Reset' }>> = {}): PasswordCommand => ({
  type: 'Reset',
  resetId: link,
  userId,
  changeId,
  addressHash,
  at: '2026-11-20T08:29:59.999Z',
  ...over,
})

describe('a password', () => {
  const given = deciderSpec(passwordDecider)

  it('is reset with a link within half an hour', () => {
    given().when({ type: 'RequestReset', resetId: link, userId, addressHash, at }).then(requested)
    given(requested).when(useLink()).then(reset)
    given(requested)
      .when(useLink({ at: expiresAt }))
      .thenRefused('link-expired')
  })
  it('is reset as soon as the link was requested, and a link is requested once', () => {
    given(requested).when(useLink({ at })).then(reset)
    given(requested).when({ type: 'RequestReset', resetId: link, userId, addressHash, at }).thenNothing()
  })
  it('is reset with a link to the present address only', () => {
    const before = '2026-11-20T07:59:59.999Z'
    given(requested)
      .when(useLink({ emailChangedAt: before }))
      .then(reset)
    given(requested)
      .when(useLink({ emailChangedAt: at }))
      .thenRefused('link-expired')
  })
  it('has a version that grows with each event of its stream', () => {
    expect(computePasswordVersion('no-stream')).toBe(0)
    expect([0n, 1n, 7n].map(computePasswordVersion)).toEqual([1, 2, 8])
  })
  it('is not reset with a link that was never requested', () => {
    given().when(useLink()).thenRefused('link-expired')
    given(requested)
      .when(useLink({ resetId: otherLink }))
      .thenRefused('link-expired')
  })
  it('is reset once with each link, and the same change is not made twice', () => {
    given(requested, reset).when(useLink()).thenNothing()
    given(requested, reset)
      .when(useLink({ changeId: otherChange }))
      .thenRefused('link-expired')
  })
  it('can be reset with any of several links; then none works', () => {
    const ownLink = useLink({ resetId: otherLink, changeId: otherChange })
    given(requested, otherRequested).when(useLink()).then(reset)
    given(requested, otherRequested, reset).when(ownLink).thenRefused('link-expired')
  })
  it('is changed by its user, which ends all links', () => {
    const change = {
      type: 'Change',
      userId,
      changeId: otherChange,
      basedOn: null,
      sessionId,
      addressHash,
    } satisfies PasswordCommand
    given(requested).when(change).then(changed)
    given(requested, changed).when(change).thenNothing()
    given(requested, changed).when(useLink()).thenRefused('link-expired')
    // The current password was checked before a reset replaced it.
    given(requested, reset).when(change).thenRefused('changed-meanwhile')
    given(requested, reset)
      .when({ ...change, basedOn: changeId })
      .then(changed)
  })
  it('records refused changes and requests for unknown addresses', () => {
    given()
      .when({ type: 'RefusePassword', userId, addressHash })
      .then({ type: 'PasswordRefused', data: { userId, addressHash } })
    given()
      .when({ type: 'RequestReset', resetId: link, userId: null, addressHash, at })
      .then({ type: 'PasswordResetRequested', data: { resetId: link, userId: null, addressHash, expiresAt } })
  })
})

const minutes = fc.integer({ min: 0, max: 240 }).map((n) => new Date(Date.parse(at) + n * 60_000).toISOString())
const resetId = fc.constantFrom(link, otherLink, changeId, otherChange, sessionId)
const command: fc.Arbitrary<PasswordCommand> = fc.oneof(
  fc.record({
    type: fc.constant('RequestReset' as const),
    resetId,
    userId: fc.constant(userId),
    addressHash: fc.constant(addressHash),
    at: minutes,
  }),
  fc.record({ resetId, changeId: fc.uuid(), at: minutes }).map(useLink),
  fc.uuid().map((id) => ({ type: 'Change', userId, changeId: id, basedOn: null, sessionId, addressHash }) as const),
  fc.constant({ type: 'RefusePassword', userId, addressHash } as const),
)

describe('any sequence of commands', () => {
  it('lets no link work twice, nor after any other change, nor half an hour after its request', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 30 }), (commands) => {
        let history: readonly PasswordEvent[] = []
        /** The times at which links were requested since the last change. */
        let requestedAt = new Map<string, string>()
        for (const next of commands) {
          const state = fold(passwordDecider, history)
          const basedOn = state.lastChangeId
          const decision = passwordDecider.decide(next.type === 'Change' ? { ...next, basedOn } : next, state)
          const decided = isRejection(decision) ? [] : decision
          if (next.type === 'Reset' && decided.length > 0) {
            const minutesOld = (Date.parse(next.at) - Date.parse(requestedAt.get(next.resetId) ?? '')) / 60_000
            expect(minutesOld).toBeLessThan(30)
          }
          for (const event of decided) {
            if (event.type === 'PasswordReset' || event.type === 'PasswordChanged') requestedAt = new Map()
            if (event.type === 'PasswordResetRequested' && next.type === 'RequestReset')
              requestedAt.set(next.resetId, next.at)
          }
          history = [...history, ...decided]
        }
      }),
    )
  })
})
