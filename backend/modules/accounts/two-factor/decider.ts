import type { UserId } from '#contracts/values/ids.ts'
import { type Decider, reject } from '#eventstore/decider.ts'
import { TwoFactorEvent } from '../events.ts'

/** The commands for the second factor of an account. `factorId` names the secret that is stored outside of the events. */
export type TwoFactorCommand =
  | { type: 'Enable'; userId: UserId; factorId: string; recoveryCodes: number }
  | { type: 'ReplaceRecoveryCodes'; userId: UserId; recoveryCodes: number }
  | { type: 'UseRecoveryCode'; userId: UserId }
  /** `isRequired`: the practice of the user requires it. */
  | { type: 'Disable'; userId: UserId; isRequired?: boolean }
  /** Does nothing when another secret is in force by then. */
  | { type: 'Reset'; userId: UserId; factorId: string; by: UserId }

/** The second factor that a sign-in needs, and how many recovery codes are left; null when it needs none. */
export type TwoFactorState = { factorId: string; recoveryCodesLeft: number } | null

export type TwoFactorRejection = 'two-factor-enabled' | 'two-factor-disabled' | 'required-by-practice'

/** The rules for the second factor of one account: turned on with one secret, and off again. */
export const twoFactorDecider: Decider<TwoFactorCommand, TwoFactorEvent, TwoFactorState, TwoFactorRejection> = {
  category: 'second_factor',
  events: TwoFactorEvent,
  initial: null,
  decide(command, state) {
    const { userId } = command
    switch (command.type) {
      case 'Enable': {
        const { factorId, recoveryCodes } = command
        if (state?.factorId === factorId) return []
        if (state) return reject('two-factor-enabled', 'Two-factor authentication is on already.')
        return [{ type: 'TwoFactorEnabled', data: { userId, factorId, recoveryCodes } }]
      }
      case 'ReplaceRecoveryCodes':
        if (!state) return reject('two-factor-disabled', 'Two-factor authentication is off.')
        return [{ type: 'RecoveryCodesReplaced', data: { userId, recoveryCodes: command.recoveryCodes } }]
      case 'UseRecoveryCode':
        if (!state || state.recoveryCodesLeft === 0)
          return reject('two-factor-disabled', 'There are no recovery codes left.')
        return [{ type: 'RecoveryCodeUsed', data: { userId, left: state.recoveryCodesLeft - 1 } }]
      case 'Disable':
        if (!state) return []
        if (command.isRequired)
          return reject('required-by-practice', 'Your practice requires two-factor authentication for everyone.')
        return [{ type: 'TwoFactorDisabled', data: { userId } }]
      case 'Reset': {
        const { factorId, by } = command
        return state?.factorId === factorId ? [{ type: 'TwoFactorReset', data: { userId, factorId, by } }] : []
      }
    }
  },
  evolve(state, { type, data }) {
    if (type === 'TwoFactorEnabled') return { factorId: data.factorId, recoveryCodesLeft: data.recoveryCodes }
    if (type === 'TwoFactorDisabled' || type === 'TwoFactorReset' || !state) return null
    return { ...state, recoveryCodesLeft: type === 'RecoveryCodeUsed' ? data.left : data.recoveryCodes }
  },
}
