import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type EditedChoice, getSampleData, removeSampleData, type SampleData } from '#contracts/sample-data.ts'
import { ApiProblem, call } from '#web/api/call.ts'
import type { LiveUpdateRule } from '#web/api/live-updates.ts'
import { currentUserQuery } from '#web/entities/accounts/current-user.ts'

const pollIntervalMs = 1_000
const isChanging = (data: SampleData | undefined) => data?.state === 'being-seeded' || data?.state === 'being-removed'

/** What there is of the sample practice. What passes by itself is looked at again. */
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

/** Why it was not removed. What was edited since the dialog was opened is in its list by now. */
export const describeRemovalError = (error: unknown): string | null =>
  error instanceof ApiProblem && error.code === 'sample-edited'
    ? 'Somebody has just worked on sample records. Choose what becomes of them.'
    : error instanceof Error
      ? error.message
      : null

/** "40 patients and 280 appointments". */
export const formatSampleCounts = ({ patients, appointments }: Pick<SampleData, 'patients' | 'appointments'>): string =>
  `${pluralize(patients, 'patient')} and ${pluralize(appointments, 'appointment')}`

const pluralize = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`
