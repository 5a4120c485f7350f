import type { PracticeId } from '#contracts/values/ids.ts'
import type { CommandBus } from '#eventstore/command-bus.ts'
import { feeDecider, type Fees } from './decider.ts'

/** Loads the current fee of each type of appointment. */
export const loadFees = async (bus: CommandBus, practiceId: PracticeId): Promise<Fees> =>
  (await bus.load(feeDecider, practiceId)).state
