import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { listPatients } from '#contracts/patients.ts'
import { call } from '#web/api/call.ts'
import { patientKeys } from './patient-keys.ts'

/** Query for the patients whose name, phone, e-mail or date of birth matches the search. */
export const patientSearchQuery = (search: string) =>
  queryOptions({
    queryKey: patientKeys.pickerResults(search),
    queryFn: ({ signal }) => call(listPatients, { query: { search, limit: 8 } }, signal),
    enabled: search !== '',
    placeholderData: keepPreviousData,
    gcTime: 60_000,
    staleTime: 0,
  })
