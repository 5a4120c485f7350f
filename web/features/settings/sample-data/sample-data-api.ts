import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { type EditedChoice, getSampleData, removeSampleData, type SampleData } from '#contracts/sample-data.ts'
import { ApiProblem, call } from '#web/api/call.ts'

const pollIntervalMs = 1_000
const isChanging = (data: SampleData | undefined) => data?.state === 'seeding' || data?.state === 'removing'

/** What there is of the sample practice. What passes by itself is looked at again. */
export const sampleDataQuery = queryOptions({
  queryKey: ['sample-data'],
  queryFn: ({ signal }) => call(getSampleData, {}, signal),
  staleTime: 0,
  refetchInterval: ({ state }) => (isChanging(state.data) ? pollIntervalMs : false),
})

/** Takes the sample practice away; every screen is fetched anew after it. */
export function useRemoveSampleData() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (edited: EditedChoice | undefined) => call(removeSampleData, { query: { edited } }),
    async onSuccess(data) {
      queries.setQueryData(sampleDataQuery.queryKey, data)
      await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'user' })
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
  `${counted(patients, 'patient')} and ${counted(appointments, 'appointment')}`

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`
