import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { RequestInput } from '#contracts/endpoint.ts'
import { addProvider, changeProvider, getProviderSeats, listProviders, type Provider } from '#contracts/providers.ts'
import { call } from '#web/api/call.ts'
import type { LiveUpdateRule } from '#web/api/live-updates.ts'

/** Query for all providers, including inactive ones. */
export const providersQuery = queryOptions({
  queryKey: ['providers'],
  queryFn: ({ signal }) => call(listProviders, {}, signal),
})

/** Query for the providers that count against the limit of the plan. */
export const providerSeatsQuery = queryOptions({
  queryKey: [...providersQuery.queryKey, 'seats'],
  queryFn: ({ signal }) => call(getProviderSeats, {}, signal),
  staleTime: 0,
})

/** Invitations take seats, and another plan has other limits. */
export const providerLiveUpdates: LiveUpdateRule = {
  queryKeys: {
    providers: [providersQuery.queryKey],
    team: [providerSeatsQuery.queryKey],
    subscription: [providerSeatsQuery.queryKey],
  },
}

/** Returns the mutation that adds a provider. */
export function useAddProvider() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: RequestInput<typeof addProvider>['body']) => call(addProvider, { body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: providersQuery.queryKey }),
  })
}

/** Returns the mutation that updates, deactivates or reactivates a provider. */
export function useUpdateProvider() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ id, body }: { id: string; body: RequestInput<typeof changeProvider>['body'] }) =>
      call(changeProvider, { params: { providerId: id }, body }),
    onSuccess: (changed) => {
      queries.setQueryData<Provider[]>(providersQuery.queryKey, (all) =>
        all?.map((provider) =>
          provider.id === changed.id && provider.revision <= changed.revision ? changed : provider,
        ),
      )
      return queries.invalidateQueries({ queryKey: providersQuery.queryKey })
    },
  })
}
