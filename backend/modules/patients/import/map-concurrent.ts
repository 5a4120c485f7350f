import pLimit from 'p-limit'

/**
 * Runs a task for each item, at most `concurrency` at a time, and returns the results in the order of the items. The store
 * writes appends that arrive together as a group, so this is many times faster than one after the other. After a failure
 * no further task starts; the error is thrown when the running ones have ended.
 */
export async function mapConcurrent<Item, Result>(
  items: readonly Item[],
  concurrency: number,
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const limit = pLimit({ concurrency, rejectOnClear: true })
  const outcomes = await Promise.allSettled(
    items.map((item) =>
      limit(async () => {
        try {
          return await run(item)
        } catch (error) {
          limit.clearQueue()
          throw error
        }
      }),
    ),
  )
  return outcomes.map((outcome) => {
    // Tasks start in order: the first rejection is a failed task, those after it may be cleared ones.
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  })
}
