import { queryOptions } from '@tanstack/react-query'
import { checkSafeguards } from '#contracts/safeguards.ts'
import { call } from '#web/api/call.ts'
import { practiceKeys } from '#web/entities/practices/practice-keys.ts'

/** Query for the HIPAA safeguards and what they rest on; checked again whenever the tab is opened, and after changes of the practice. */
export const safeguardsQuery = queryOptions({
  queryKey: practiceKeys.safeguards,
  queryFn: ({ signal }) => call(checkSafeguards, {}, signal),
  staleTime: 0,
})
