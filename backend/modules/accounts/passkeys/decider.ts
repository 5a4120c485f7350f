import { maxPasskeys } from '#contracts/passkeys.ts'
import type { UserId } from '#contracts/values/ids.ts'
import { type Decider, reject } from '#eventstore/decider.ts'
import { PasskeyEvent, PasskeyUseEvent } from '../events.ts'

/** The commands for the passkeys of an account. `passkeyId` names the public key that is stored outside of the events. */
export type PasskeyCommand =
  | { type: 'Add'; userId: UserId; passkeyId: string; name: string }
  /** `isLastRequired`: the practice of the user requires a second factor, and the user has no other than passkeys. */
  | { type: 'Remove'; userId: UserId; passkeyId: string; isLastRequired: boolean }
  /** Removes those of these passkeys that are in force; `factorId` is the authenticator app that is reset with them. */
  | { type: 'Reset'; userId: UserId; passkeyIds: readonly string[]; factorId: string | null; by: UserId }

/** The passkeys in force, in the order in which they were added. */
export type PasskeyState = readonly { passkeyId: string; name: string }[]

export type PasskeyRejection = 'too-many-passkeys' | 'required-by-practice'

/** Returns whether a passkey can be used. */
export const isInForce = (state: PasskeyState, passkeyId: string): boolean =>
  state.some((passkey) => passkey.passkeyId === passkeyId)

/** The rules for the passkeys of one account: each is added once, and does nothing once it was removed. */
export const passkeyDecider: Decider<PasskeyCommand, PasskeyEvent, PasskeyState, PasskeyRejection> = {
  category: 'passkeys',
  events: PasskeyEvent,
  initial: [],
  decide(command, state) {
    const { userId } = command
    switch (command.type) {
      case 'Add': {
        const { passkeyId, name } = command
        if (isInForce(state, passkeyId)) return []
        if (state.length >= maxPasskeys)
          return reject('too-many-passkeys', `You have ${maxPasskeys} passkeys. Please remove one first.`)
        return [{ type: 'PasskeyAdded', data: { userId, passkeyId, name } }]
      }
      case 'Remove': {
        const { passkeyId } = command
        if (!isInForce(state, passkeyId)) return []
        if (command.isLastRequired && state.length === 1)
          return reject('required-by-practice', 'Your practice requires two-factor authentication for everyone.')
        return [{ type: 'PasskeyRemoved', data: { userId, passkeyId } }]
      }
      case 'Reset': {
        const { factorId, by } = command
        const passkeyIds = command.passkeyIds.filter((passkeyId) => isInForce(state, passkeyId))
        return passkeyIds.length === 0 ? [] : [{ type: 'PasskeysReset', data: { userId, passkeyIds, factorId, by } }]
      }
    }
  },
  evolve(state, { type, data }) {
    if (type === 'PasskeyAdded') return [...state, { passkeyId: data.passkeyId, name: data.name }]
    const removed = type === 'PasskeyRemoved' ? [data.passkeyId] : data.passkeyIds
    return state.filter(({ passkeyId }) => !removed.includes(passkeyId))
  },
}

type Use = { userId: UserId; passkeyId: string; challengeId: string; addressHash: string }

/** The commands for one challenge, after a passkey has signed it. Instants are ISO, UTC. */
export type PasskeyUseCommand =
  | (Use & { type: 'Use'; isInForce: boolean; expiresAt: string; at: string })
  /** The counter of the passkey did not grow. */
  | (Use & { type: 'RefuseCounter' })

export type PasskeyUseRejection = 'unknown-passkey' | 'passkey-expired'

/** The rules for one challenge: it is used once, within its time, by a passkey that is in force. */
export const passkeyUseDecider: Decider<PasskeyUseCommand, PasskeyUseEvent, 'open' | 'used', PasskeyUseRejection> = {
  category: 'passkey_use',
  events: PasskeyUseEvent,
  initial: 'open',
  decide(command, state) {
    const { userId, passkeyId, challengeId, addressHash } = command
    const data = { userId, passkeyId, challengeId, addressHash }
    if (command.type === 'RefuseCounter')
      return state === 'used' ? [] : [{ type: 'PasskeyRefused', data: { ...data, reason: 'counter' } }]
    if (state === 'used' || command.at >= command.expiresAt)
      return reject('passkey-expired', 'This took too long. Please try again.')
    if (!command.isInForce) return reject('unknown-passkey', 'This passkey was removed from Everchart.')
    return [{ type: 'PasskeyUsed', data }]
  },
  evolve: () => 'used',
}
