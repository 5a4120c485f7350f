import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type EditedChoice, getSampleData, removeSampleData, type SampleData } from '#contracts/sample-data.ts'
import { ApiProblem, call } from '#web/api/call.ts'
import type { LiveUpdateRule } from '#web/api/live-updates.ts'
import { currentUserQuery } from '#web/entities/accounts/current-user.ts'

const pollIntervalMs = 1_000
const isChanging = (data: SampleData | undefined) => data?.state === 'seeding' || data?.state === 'removing'

/** Query for the sample data; polled while it is being added or removed. */
export const sampleDataQuery = queryOptions({
  queryKey: ['sample-data'],
  queryFn: ({ signal }) => call(getSampleData, {}, signal),
  staleTime: 0,
  refetchInterval: ({ state }) => (isChanging(state.data) ? pollIntervalMs : false),
})

/** Other users' changes to sample patients change what would be removed. */
export const sampleDataLiveUpdates: LiveUpdateRule = { queryKeys: { patients: [sampleDataQuery.queryKey] } }

/** Returns the mutation that removes the sample practice; afterwards everything but the current user is refetched. */
export function useRemoveSampleData() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (edited: EditedChoice | undefined) => call(removeSampleData, { query: { edited } }),
    async onSuccess(data) {
      queries.setQueryData(sampleDataQuery.queryKey, data)
      await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== currentUserQuery.queryKey[0] })
    },
    onError: () => queries.invalidateQueries({ queryKey: sampleDataQuery.queryKey }),
  })
}

/** Returns why the removal failed. Records edited since the dialog opened are in its list by now. */
export const describeRemovalError = (error: unknown): string | null =>
  error instanceof ApiProblem && error.code === 'sample-edited'
    ? 'Sample records have just been edited. Choose what to do with them.'
    : error instanceof Error
      ? error.message
      : null

/** Formats the counts: "40 patients and 280 appointments". */
export const formatSampleCounts = ({ patients, appointments }: Pick<SampleData, 'patients' | 'appointments'>): string =>
  `${pluralize(patients, 'patient')} and ${pluralize(appointments, 'appointment')}`

const pluralize = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
