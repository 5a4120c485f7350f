import type { CommandContext } from '#eventstore/command.ts'
import { deriveId } from '#eventstore/derive-id.ts'
import type { Services } from '#modules/module.ts'
import { textNumberDecider } from './decider.ts'

type Dependencies = Pick<Services, 'bus' | 'keyedHash'>

const toNumberId = ({ keyedHash }: Pick<Services, 'keyedHash'>, phone: string) =>
  deriveId(keyedHash('number of text messages', phone))

/** Returns whether the owner of a number (E.164) wants no texts. */
export async function hasStoppedTexts(services: Dependencies, phone: string): Promise<boolean> {
  const { state } = await services.bus.load(textNumberDecider, toNumberId(services, phone))
  return state.isStopped
}

/** Records the wish of the owner of a number (E.164). A repetition has no effect. */
export async function recordTextWish(
  services: Dependencies,
  phone: string,
  type: 'Stop' | 'Resume',
  context: CommandContext,
): Promise<void> {
  const numberId = toNumberId(services, phone)
  // It holds for every practice that knows the number.
  await services.bus.execute(textNumberDecider, numberId, { type, numberId }, { ...context, practiceId: null })
}
