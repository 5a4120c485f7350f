import { AppointmentType } from '#contracts/values/appointments.ts'
import type { PracticeId } from '#contracts/values/ids.ts'
import { defaultFees, type Money } from '#contracts/values/money.ts'
import type { Decider } from '#eventstore/decider.ts'
import { FeeEvent } from './events.ts'

/** The fee of each type of appointment. */
export type Fees = Readonly<Record<AppointmentType, Money>>

/** Sets the fees of some types. */
export type FeeCommand = { type: 'ChangeFees'; practiceId: PracticeId; fees: Partial<Fees> }

/** The fee schedule of a practice. The defaults apply until a fee is changed. */
export const feeDecider: Decider<FeeCommand, FeeEvent, Fees, never> = {
  category: 'fees',
  events: FeeEvent,
  initial: defaultFees,
  decide({ practiceId, fees }, state) {
    const changed = AppointmentType.options.filter((type) => {
      const fee = fees[type]
      return fee && (fee.cents !== state[type].cents || fee.currency !== state[type].currency)
    })
    const pick = (source: Partial<Fees>) => Object.fromEntries(changed.map((type) => [type, source[type]]))
    return changed.length === 0
      ? []
      : [{ type: 'FeesChanged', data: { practiceId, from: pick(state), to: pick(fees) } } as FeeEvent]
  },
  evolve: (state, { data }) => ({ ...state, ...data.to }),
}
