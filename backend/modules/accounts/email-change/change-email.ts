import type { UserId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command.ts'
import { CommandRejected } from '#eventstore/command-errors.ts'
import type { Recorded } from '#eventstore/event.ts'
import type { Services } from '#modules/module.ts'
import { type RegisteredUser, userDecider } from '../decider.ts'
import { emailDecider } from '../names/decider.ts'
import type { UserEvent } from '../events.ts'
import { createNameHasher, decidedAgain, reserveEmail } from '../names/reserve-names.ts'

type Parts = Pick<Services, 'bus' | 'clock' | 'keyedHash'>

type Confirmation = {
  userId: UserId
  requestId: string
  /** The requested address. */
  email: string
  changeId: string
  addressHash: string
}

/**
 * Changes the address of an account (ADR 32): reserves the new one, writes the change, which decides, and releases the former
 * one. Throws `CommandRejected` with `email-taken` or `link-expired`.
 */
export async function changeEmail(
  parts: Parts,
  { userId, requestId, email, changeId, addressHash }: Confirmation,
  context: CommandContext,
): Promise<void> {
  const { bus, clock } = parts
  await reserveEmail(parts, email, { userId, requestId }, context)
  const command = { type: 'ChangeEmail', requestId, changeId, addressHash, at: clock().toISOString() } as const
  await bus.execute(userDecider, userId, command, context).catch(async (error: unknown) => {
    // After any other error the change may have been written.
    if (error instanceof CommandRejected) await releaseUnlessCurrent(parts, userId, requestId, email, context)
    throw error
  })
  await finishEmailChange(parts, userId, requestId, context)
}

/** Releases the reservation of a request that can no longer be confirmed, unless another attempt at it was faster. */
async function releaseUnlessCurrent(
  parts: Parts,
  userId: UserId,
  requestId: string,
  email: string,
  context: CommandContext,
): Promise<void> {
  const { bus } = parts
  const { state } = await bus.load(userDecider, userId)
  if (state.status === 'registered' && state.emailChange?.requestId === requestId) return
  const release = { type: 'Release', userId, requestId } as const
  await bus.execute(emailDecider, createNameHasher(parts).email(email), release, context, decidedAgain)
}

/** Releases the address that a change has replaced. Does nothing for a request that was not confirmed; can be repeated. */
export async function finishEmailChange(
  parts: Pick<Parts, 'bus' | 'keyedHash'>,
  userId: UserId,
  requestId: string,
  context: CommandContext,
): Promise<void> {
  const change = await loadEmailChange(parts, userId, requestId)
  if (!change) return
  const release = { type: 'Release', userId, requestId: change.replaces ?? undefined } as const
  await parts.bus.execute(emailDecider, createNameHasher(parts).email(change.from), release, context, decidedAgain)
}

type EmailChange = Extract<UserEvent, { type: 'EmailChanged' }>['data']

/** Returns the change to which a request led; null while it is not confirmed. */
export async function loadEmailChange(
  { bus }: Pick<Services, 'bus'>,
  userId: UserId,
  requestId: string,
): Promise<EmailChange | null> {
  const { history } = await bus.load(userDecider, userId)
  const isChange = (event: Recorded<UserEvent>): event is Recorded<Extract<UserEvent, { type: 'EmailChanged' }>> =>
    event.type === 'EmailChanged' && event.data.requestId === requestId
  return history.find(isChange)?.data ?? null
}

/** Returns the instant (ISO) at which the address of an account changed last; null when it never did. */
export const findEmailChangedAt = (history: readonly Recorded<UserEvent>[]): string | null =>
  history.findLast(({ type }) => type === 'EmailChanged')?.metadata.at ?? null

/**
 * Returns the account whose address this is; null without one. A reservation is not enough: the address may have been given up a
 * moment ago, or wait for its confirmation. Takes the same steps for every address; `unknownUserId` is loaded for a free one.
 */
export async function findAccountByEmail(
  parts: Pick<Parts, 'bus' | 'keyedHash'>,
  email: string,
  unknownUserId: UserId,
): Promise<RegisteredUser | null> {
  const ids = createNameHasher(parts)
  const id = ids.email(email)
  const { state: holder } = await parts.bus.load(emailDecider, id)
  const { state } = await parts.bus.load(userDecider, holder?.userId ?? unknownUserId)
  return state.status === 'registered' && ids.email(state.user.email) === id ? state.user : null
}
