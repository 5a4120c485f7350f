import type { Services } from './module.ts'

/** Waits until the read models that handle these events contain everything stored so far, or for two seconds. */
export async function waitForReadModels(
  { store, waitUntilCaughtUp }: Pick<Services, 'store' | 'waitUntilCaughtUp'>,
  types: readonly string[],
): Promise<void> {
  const head = await store.head()
  if (head !== null) await waitUntilCaughtUp(types, head)
}
