import type { FetchQueryOptions, QueryClient, QueryKey } from '@tanstack/react-query'

/**
 * Fetches data as it is now or later. A fetch in flight is cancelled instead of joined: the server may have read its reply
 * before the change that the caller has heard of.
 */
export async function fetchNewest<Data, Key extends QueryKey>(
  queries: QueryClient,
  query: FetchQueryOptions<Data, Error, Data, Key>,
): Promise<Data> {
  await queries.cancelQueries({ queryKey: query.queryKey, exact: true })
  return await queries.fetchQuery({ ...query, staleTime: 0 })
}
