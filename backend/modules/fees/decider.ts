import type { PracticeId } from '#contracts/values/ids.ts'
import { defaultFees, type Money } from '#contracts/values/money.ts'
import { AppointmentType } from '#contracts/values/appointments.ts'
import type { Decider } from '#eventstore/decider.ts'
import { FeeEvent } from './events.ts'

/** What each type of appointment costs. */
export type Fees = Readonly<Record<AppointmentType, Money>>

/** Sets what some types cost from now on. */
export type FeeCommand = { type: 'ChangeFees'; practiceId: PracticeId; fees: Partial<Fees> }

/** The fee schedule of a practice; the defaults hold until somebody changes them. */
export const feeDecider: Decider<FeeCommand, FeeEvent, Fees, never> = {
  category: 'fees',
  events: FeeEvent,
  initial: defaultFees,
  decide({ practiceId, fees }, state) {
    const changed = AppointmentType.options.filter((type) => {
      const wanted = fees[type]
      return wanted && (wanted.cents !== state[type].cents || wanted.currency !== state[type].currency)
    })
    const only = (of: Partial<Fees>) => Object.fromEntries(changed.map((type) => [type, of[type]]))
    return changed.length === 0
      ? []
      : [{ type: 'FeesChanged', data: { practiceId, from: only(state), to: only(fees) } } as FeeEvent]
  },
  evolve: (state, { data }) => ({ ...state, ...data.to }),
}
