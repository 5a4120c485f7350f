import { ProblemError } from '#http/problems.ts'
import type { Services } from '../module.ts'

/** The read models lack stored events: what was read from them is no reason to act. Temporary; a job is retried. */
export class ReadModelsBehind extends Error {
  override readonly name = 'ReadModelsBehind'
}

/**
 * Waits until the read models that handle these events contain everything stored so far. Throws ReadModelsBehind after a
 * time-out: a job that acts on "every appointment of this patient" would otherwise miss the newest ones.
 */
export async function waitForReadModels(
  { store, waitUntilCaughtUp }: Pick<Services, 'store' | 'waitUntilCaughtUp'>,
  types: readonly string[],
): Promise<void> {
  const head = await store.head()
  if (head !== null && !(await waitUntilCaughtUp(types, head)))
    throw new ReadModelsBehind(`The read models of ${types.join(', ')} are behind the event store`)
}

/** Rethrows ReadModelsBehind as a 503 for the user, and any other error unchanged. */
export function throwNotReady(error: unknown): never {
  if (!(error instanceof ReadModelsBehind)) throw error
  throw new ProblemError(
    503,
    'not-ready',
    'Your latest changes are still being processed. Please try again in a moment.',
    {
      headers: { 'Retry-After': '5' },
    },
  )
}
