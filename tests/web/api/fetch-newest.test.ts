import { QueryClient, queryOptions } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { fetchNewest } from '#web/api/fetch-newest.ts'

it('does not join a fetch in flight, whose reply may be older than the change', async () => {
  const queries = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  const replies = [Promise.withResolvers<string>(), Promise.withResolvers<string>()] as const
  let fetches = 0
  const query = queryOptions({ queryKey: ['fees'], queryFn: () => replies[fetches++ === 0 ? 0 : 1].promise })
  queries.setQueryData(query.queryKey, 'at first')
  const refetch = queries.fetchQuery({ ...query, staleTime: 0 }).catch(() => undefined)
  const newest = fetchNewest(queries, query)
  replies[1].resolve('after the change')
  await expect.poll(() => queries.getQueryData(query.queryKey)).toBe('after the change')
  replies[0].resolve('before the change')
  await refetch
  expect(await newest).toBe('after the change')
  expect(queries.getQueryData(query.queryKey)).toBe('after the change')
})
