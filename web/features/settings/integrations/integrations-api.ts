import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type IntegrationName, listIntegrations, testIntegration } from '#contracts/integrations.ts'
import { call } from '#web/api/call.ts'

/** Query for the state of the services outside of Everchart. */
export const integrationsQuery = queryOptions({
  queryKey: ['integrations'],
  queryFn: ({ signal }) => call(listIntegrations, {}, signal),
  staleTime: 0,
})

/** Returns the mutation that tests a service, after which its state is fetched again. */
export function useTestIntegration() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (name: IntegrationName) => call(testIntegration, { body: { name } }),
    onSettled: () => queries.invalidateQueries({ queryKey: integrationsQuery.queryKey }),
  })
}
