import type { UserId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command.ts'
import type { RequestContext } from '#http/request-context.ts'
import type { Services } from '#modules/module.ts'
import { findMemberships } from './public.ts'

/** Returns the context of a request without a session; what happens to an account belongs to its practice. */
export async function createVisitorContext(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  userId: UserId,
  { correlationId }: RequestContext,
): Promise<CommandContext> {
  const places = await findMemberships(db, [userId], clock())
  const practiceId = places.get(userId)?.practiceId ?? null
  return { practiceId, actor: { kind: 'process', name: 'visitor' }, correlationId }
}
