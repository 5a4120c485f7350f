import DataLoader from 'dataloader'

type LoadMany<Value> = (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>

/**
 * Combines the calls that arrive while a query is in flight into one next query. Each caller receives the values of the
 * whole batch. One loader entry is a whole call: an entry per key would cost more than the query for a page of thousands.
 */
export function batched<Value>(loadMany: LoadMany<Value>): LoadMany<Value> {
  let inFlight: Promise<unknown> = Promise.resolve()
  const loader = new DataLoader<readonly string[], ReadonlyMap<string, Value>>(
    async (calls) => {
      const loading = loadMany([...new Set(calls.flat())])
      inFlight = loading.catch(() => undefined)
      const values = await loading
      return calls.map(() => values)
    },
    { cache: false, batchScheduleFn: (dispatch) => void inFlight.then(dispatch) },
  )
  return (keys) => loader.load(keys)
}
