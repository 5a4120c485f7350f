import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maxPasskeys } from '#contracts/passkeys.ts'
import { UserId } from '#contracts/values/ids.ts'
import { fold, isRejection } from '#eventstore/decider.ts'
import type { PasskeyEvent, PasskeyUseEvent } from '#modules/accounts/events.ts'
import {
  isInForce,
  type PasskeyCommand,
  passkeyDecider,
  type PasskeyUseCommand,
  passkeyUseDecider,
} from '#modules/accounts/passkeys/decider.ts'
import { deciderSpec } from '#tests/support/decider-spec.ts'

const userId = UserId.parse('3f8f1d0e-52a4-4c8b-9a57-2d1f5c0e7b11')
const by = UserId.parse('91c2b9a4-6a3c-4f0b-8c43-5b8a0d7f6e22')
const createId = (number: number) => `c6d9a7b2-1f34-4e57-8a90-${String(number).padStart(12, '0')}`
const [laptop, phone, key] = [createId(1), createId(2), createId(3)]
const challengeId = createId(100)

const add = (passkeyId: string): PasskeyCommand => ({ type: 'Add', userId, passkeyId, name: 'Laptop' })
const remove = (passkeyId: string, isLastRequired = false): PasskeyCommand => ({
  type: 'Remove',
  userId,
  passkeyId,
  isLastRequired,
})
const reset = (...passkeyIds: string[]): PasskeyCommand => ({ type: 'Reset', userId, passkeyIds, factorId: null, by })
const added = (passkeyId: string): PasskeyEvent => ({
  type: 'PasskeyAdded',
  data: { userId, passkeyId, name: 'Laptop' },
})
const removed = (passkeyId: string): PasskeyEvent => ({ type: 'PasskeyRemoved', data: { userId, passkeyId } })

describe('the passkeys of an account', () => {
  const given = deciderSpec(passkeyDecider)

  it('are added and removed once each', () => {
    given().when(add(laptop)).then(added(laptop))
    given(added(laptop)).when(add(laptop)).thenNothing()
    given(added(laptop)).when(add(phone)).then(added(phone))
    given(added(laptop)).when(remove(laptop)).then(removed(laptop))
    given(added(laptop), removed(laptop)).when(remove(laptop)).thenNothing()
    given().when(remove(laptop)).thenNothing()
  })
  it('are at most twenty', () => {
    const all = Array.from({ length: maxPasskeys }, (_, number) => added(createId(number)))
    given(...all)
      .when(add(createId(99)))
      .thenRefused('too-many-passkeys')
    given(...all, removed(createId(0)))
      .when(add(createId(99)))
      .then(added(createId(99)))
  })
  it('stay, at least one, where the practice requires a second factor and there is no other', () => {
    given(added(laptop)).when(remove(laptop, true)).thenRefused('required-by-practice')
    given(added(laptop), added(phone)).when(remove(laptop, true)).then(removed(laptop))
    given().when(remove(laptop, true)).thenNothing()
  })
  it('are reset together, without those that were added since', () => {
    given(added(laptop), added(phone), added(key))
      .when(reset(laptop, phone))
      .then({ type: 'PasskeysReset', data: { userId, passkeyIds: [laptop, phone], factorId: null, by } })
    given(added(laptop), removed(laptop), added(phone)).when(reset(laptop)).thenNothing()
  })
})

const instant = (second: number) => new Date(Date.UTC(2026, 10, 24, 8, 0, second)).toISOString()
const use = (over: Partial<Extract<PasskeyUseCommand, { type: 'Use' }>> = {}): PasskeyUseCommand => ({
  type: 'Use',
  userId,
  passkeyId: laptop,
  challengeId,
  addressHash: 'hash',
  isInForce: true,
  expiresAt: instant(30),
  at: instant(0),
  ...over,
})
const data = { userId, passkeyId: laptop, challengeId, addressHash: 'hash' }
const used: PasskeyUseEvent = { type: 'PasskeyUsed', data }
const refused: PasskeyUseEvent = { type: 'PasskeyRefused', data: { ...data, reason: 'counter' } }

describe('a challenge', () => {
  const given = deciderSpec(passkeyUseDecider)
  const refuseCounter: PasskeyUseCommand = { type: 'RefuseCounter', ...data }

  it('is used once, within its time, by a passkey in force', () => {
    given().when(use()).then(used)
    given(used).when(use()).thenRefused('passkey-expired')
    given()
      .when(use({ at: instant(29) }))
      .then(used)
    given()
      .when(use({ at: instant(30) }))
      .thenRefused('passkey-expired')
    given()
      .when(use({ isInForce: false }))
      .thenRefused('unknown-passkey')
  })
  it('is used up by a counter that did not grow', () => {
    given().when(refuseCounter).then(refused)
    given(refused).when(use()).thenRefused('passkey-expired')
    given(used).when(refuseCounter).thenNothing()
  })
})

type Step = { passkey: number; challenge: number; second: number } & { kind: 'add' | 'remove' | 'reset' | 'sign-in' }
const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('add', 'remove', 'reset', 'sign-in', 'sign-in'),
  passkey: fc.integer({ min: 1, max: 3 }),
  challenge: fc.integer({ min: 100, max: 105 }),
  second: fc.integer({ min: 0, max: 40 }),
})

describe('any sequence of additions, removals and sign-ins', () => {
  it('signs in with passkeys that were added and not removed since, and with no challenge twice', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let history: readonly PasskeyEvent[] = []
        const uses = new Map<number, PasskeyUseEvent[]>()
        const expected = new Set<string>()
        for (const { kind, passkey, challenge, second } of steps) {
          const passkeyId = createId(passkey)
          const state = fold(passkeyDecider, history)
          if (kind === 'sign-in') {
            const before = uses.get(challenge) ?? []
            const command = use({
              passkeyId,
              challengeId: createId(challenge),
              isInForce: isInForce(state, passkeyId),
              at: instant(second),
            })
            const decision = passkeyUseDecider.decide(command, fold(passkeyUseDecider, before))
            const isSignedIn = !isRejection(decision) && decision.length > 0
            expect(isSignedIn).toBe(expected.has(passkeyId) && before.length === 0 && second < 30)
            if (!isRejection(decision)) uses.set(challenge, [...before, ...decision])
            expect((uses.get(challenge) ?? []).length).toBeLessThanOrEqual(1)
            continue
          }
          const commands = { add: add(passkeyId), remove: remove(passkeyId), reset: reset(passkeyId) }
          const decision = passkeyDecider.decide(commands[kind], state)
          if (!isRejection(decision)) history = [...history, ...decision]
          if (kind === 'add') expected.add(passkeyId)
          else expected.delete(passkeyId)
        }
        const inForce = fold(passkeyDecider, history).map(({ passkeyId }) => passkeyId)
        expect(new Set(inForce)).toEqual(expected)
        expect(inForce).toHaveLength(expected.size)
      }),
    )
  })
})
