/**
 * Waits for what runs side by side and returns the results. When several of them fail, it throws the error of the first in order, not
 * of the fastest: callers get the same error every time.
 */
export async function allInOrder<const Values extends readonly unknown[]>(
  values: Values,
): Promise<{ -readonly [Index in keyof Values]: Awaited<Values[Index]> }> {
  const outcomes = await Promise.allSettled(values)
  return outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  }) as { -readonly [Index in keyof Values]: Awaited<Values[Index]> }
}
