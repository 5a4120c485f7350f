import { tokens } from '@fluentui/react-components'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { RequestInput } from '#contracts/endpoint.ts'
import { addProvider, changeProvider, listProviders, type Provider, type ProviderColour } from '#contracts/providers.ts'
import { call } from '#web/api/call.ts'
import type { LiveUpdateRule } from '#web/api/live-updates.ts'

/** Query for all providers, including inactive ones. */
export const providersQuery = queryOptions({
  queryKey: ['providers'],
  queryFn: ({ signal }) => call(listProviders, {}, signal),
})

export const providerLiveUpdates: LiveUpdateRule = { queryKeys: { providers: [providersQuery.queryKey] } }

/** Provider colors as theme tokens. */
export const providerColours: Record<ProviderColour, string> = {
  teal: tokens.colorBrandStroke1,
  blue: tokens.colorPaletteBlueBorderActive,
  purple: tokens.colorPalettePurpleBorderActive,
  pink: tokens.colorPalettePinkBorderActive,
  red: tokens.colorPaletteRedBorderActive,
  orange: tokens.colorPalettePumpkinBorderActive,
  gold: tokens.colorPaletteGoldBorderActive,
  green: tokens.colorPaletteGreenBorderActive,
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
