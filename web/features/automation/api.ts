import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  type AutomationEstimates,
  getAutomationStats,
  listAutomationActivity,
  saveAutomationEstimates,
} from '#contracts/automation.ts'
import {
  type Confirmation,
  type ConfirmationConfig,
  getConfirmation,
  getConfirmationConfig,
  listConfirmations,
  listSlotOffers,
  resendConfirmation,
  saveConfirmationConfig,
} from '#contracts/confirmations.ts'
import { call, callPaged, errorMessage } from '#web/api/call.ts'
import { useNotify } from '#web/ui/toasts.tsx'
import { confirmationKeys } from '#web/entities/confirmations/confirmation-keys.ts'
import { automationKeys } from './automation-keys.ts'
import type { AutomationSearch } from './automation-search.ts'

/** Number of confirmations on a page of the list. */
export const pageSize = 25

/** Number of actions in the log. */
const activitySize = 12

/** Query for the figures of the hub. */
export const statsQuery = queryOptions({
  queryKey: automationKeys.stats,
  queryFn: ({ signal }) => call(getAutomationStats, {}, signal),
  staleTime: 0,
})

/** Query for what ran by itself last. */
export const activityQuery = queryOptions({
  queryKey: automationKeys.activity,
  queryFn: ({ signal }) => call(listAutomationActivity, { query: { limit: activitySize } }, signal),
  staleTime: 0,
})

/** Query for one page of the confirmations. The previous page stays until it is loaded. */
export const confirmationsQuery = ({ status, cursor }: AutomationSearch) =>
  queryOptions({
    queryKey: confirmationKeys.page({ status, cursor }),
    queryFn: ({ signal }) => callPaged(listConfirmations, { query: { status, cursor, limit: pageSize } }, signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

/** Number of offers on a page of their list. */
export const offersPageSize = 10

/** Query for one page of the offers of freed slots, which starts after a cursor. The previous page stays until it is loaded. */
export const offersQuery = (cursor: string | undefined) =>
  queryOptions({
    queryKey: automationKeys.offers({ cursor }),
    queryFn: ({ signal }) => callPaged(listSlotOffers, { query: { cursor, limit: offersPageSize } }, signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

/** Query for one confirmation with its history. */
export const confirmationQuery = (confirmationId: string) =>
  queryOptions({
    queryKey: confirmationKeys.one(confirmationId),
    queryFn: ({ signal }) => call(getConfirmation, { params: { confirmationId } }, signal),
    staleTime: 0,
  })

/** Query for the settings by which patients are asked. */
export const configQuery = queryOptions({
  queryKey: automationKeys.config,
  queryFn: ({ signal }) => call(getConfirmationConfig, {}, signal),
  staleTime: 0,
})

/** Saves the settings by which patients are asked. */
export function useSaveConfig() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: ConfirmationConfig) => call(saveConfirmationConfig, { body }),
    onSuccess: (config) => queries.setQueryData(automationKeys.config, config),
  })
}

/** Saves the estimates behind the time and the money that are saved. */
export function useSaveEstimates() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: AutomationEstimates) => call(saveAutomationEstimates, { body }),
    onSuccess: () => {
      // The dialog closes without the figures.
      void queries.invalidateQueries({ queryKey: automationKeys.stats })
    },
  })
}

/** Returns the function that sends a message again, and the id of the one that is being sent. Shows the result as a toast. */
export function useResend() {
  const queries = useQueryClient()
  const notify = useNotify()
  const { mutate, isPending, variables } = useMutation({
    mutationFn: ({ id }: Confirmation) => call(resendConfirmation, { params: { confirmationId: id }, body: {} }),
    onSuccess: ({ patientName }) => notify({ title: 'Confirmation resent', body: patientName }),
    onError: (error) =>
      notify({ title: 'Failed to resend confirmation', body: `Error: ${errorMessage(error)}`, intent: 'error' }),
    onSettled: () => queries.invalidateQueries({ queryKey: confirmationKeys.all }),
  })
  return { resend: (confirmation: Confirmation) => mutate(confirmation), resendingId: isPending ? variables.id : null }
}
