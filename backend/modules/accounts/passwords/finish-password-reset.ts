import type { UserId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command.ts'
import type { Services } from '#modules/module.ts'
import { isAddressProved, userDecider } from '../decider.ts'
import { passwordDecider } from './decider.ts'
import { passkeyDecider } from '../passkeys/decider.ts'
import { createPasskeyStore } from '../passkeys/passkey-store.ts'

/**
 * Completes a new password that was chosen with a link to an address that was never proved: removes the passkeys that were added
 * before, and notes the proof. Another person may have registered the address and added them: the link is what only its owner
 * has. Can be repeated.
 */
export async function finishPasswordReset(
  { bus, pool }: Pick<Services, 'bus' | 'pool'>,
  { userId, changeId }: { userId: UserId; changeId: string },
  context: CommandContext,
): Promise<void> {
  const { state: account } = await bus.load(userDecider, userId)
  if (isAddressProved(account)) return
  const [{ history: changes }, { history: passkeys }] = await Promise.all([
    bus.load(passwordDecider, userId),
    bus.load(passkeyDecider, userId),
  ])
  const reset = changes.find(({ type, data }) => type === 'PasswordReset' && data.changeId === changeId)
  if (!reset) return
  const passkeyIds = passkeys.flatMap(({ type, data, metadata }) =>
    type === 'PasskeyAdded' && metadata.at <= reset.metadata.at ? data.passkeyId : [],
  )
  const command = { type: 'Reset', userId, passkeyIds, factorId: null, by: userId } as const
  await bus.execute(passkeyDecider, userId, command, context)
  await createPasskeyStore(pool).remove(passkeyIds)
  await bus.execute(userDecider, userId, { type: 'ProveEmailByLink', proofId: changeId }, context)
}
